// SPDX-License-Identifier: MIT
// Kernel 3: shortest paths by delta-stepping, over all ranks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/base/prefetch.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph500/distributed/gathered_distances.hpp"
#include "graph/graph500/distributed/local_graph.hpp"
#include "graph/graph500/distributed/node_ring.hpp"
#include "graph/graph500/distributed/zero_arc_parents.hpp"

namespace emgraph::graph::graph500::distributed {

/// Problem: distances from a root as doubles, the least fixed point of d(v) = min d(u) + w rounded to
/// nearest, and parents: the smallest tight neighbour that is nearer; where only arcs that add nothing are
/// tight, see ZeroArcParents. Neither depends on ranks, threads or bucket widths.
///
/// Method: delta-stepping (Meyer, Sanders 2003, doi 10.1016/S0196-6774(03)00076-2) with the pruning of
/// Chakaravarthy et al. (2014, doi 10.1109/IPDPS.2014.45): arcs shorter than the bucket is wide are pushed
/// until nothing in the bucket changes; then its nodes are final, and their longer arcs are either pushed, or
/// pulled by the nodes that are not final. Who pulls reads its arcs in ascending order of weight, up to the
/// weight that cannot help any more. A bucket begins at the smallest distance that is not final. Buckets are
/// narrow, so that few arcs are relaxed again, until the nodes of large degree are final. Few ranks then end
/// in rounds (the hybrid of the same paper): all other nodes pull from those that have changed; when few
/// have, these push. For many ranks that sends more than wide buckets, the last one without an end.
///
/// Parents: a tight arc of a final node is relaxed with its final distance, so the owner sees all of them; it
/// keeps the smallest sender among equal distances. Rounding is monotone: an arc that was tight stays tight.
///
/// Memory: 16 bytes (20 for long ids) and 3 bits per own node; a bit per node of the graph, and
/// GatheredDistances. Threads: pulls by the team, pushes by the caller. Throws: as mpi::Communicator.
template <class Id>
class ShortestPaths {
 public:
  using Key = typename Arc<Id>::Key;
  static constexpr double unreached = std::numeric_limits<double>::infinity();
  static constexpr Id no_parent = static_cast<Id>(~Id{0});

  [[gnu::cold]] ShortestPaths(Room& room, const LocalGraph<Id>& graph)
      : communicator_(room.communicator),
        team_(room.team),
        graph_(graph),
        partition_(graph.partition()),
        pool_(room.communicator, room.pools),
        zero_arcs_(room, graph),
        distances_(room.memory, own_nodes(), "distances"),
        parents_(room.memory, own_nodes(), "parents"),
        queue_(room.memory, own_nodes()),
        active_(room.memory, own_words(), "nodes with distances that are not final"),
        members_(room.memory, own_words(), "nodes of the bucket"),
        pulled_(room.memory, partition_),
        settled_(room.memory, static_cast<std::size_t>(partition_.words()), "final nodes"),
        sent_(room.memory, sent_places, "messages sent lately") {
    all_arcs_ = communicator_.reduce(graph.arc_count(), mpi::Reduction::sum);
    all_own_.arcs = graph.arc_count();
    for (const std::uint64_t word : graph.isolated()) {
      all_own_.nodes += static_cast<unsigned>(std::popcount(~word));
    }
  }

  std::span<double> distances() const { return distances_.span(); }
  std::span<Id> parents() const { return parents_.span(); }

  /// Forgets the last search.
  void reset() {
    std::ranges::fill(distances_.span(), unreached);
    std::ranges::fill(parents_.span(), no_parent);
    for (const core::Array<std::uint64_t>* bits : {&active_, &members_, &settled_}) {
      std::ranges::fill(bits->span(), 0);
    }
    std::ranges::fill(sent_.span(), Sent{unreached, no_parent, no_parent});
    unsettled_ = all_own_;
    end_ = 0;
  }

  /// All ranks call it together. Requires: reset() since the last search.
  void search(std::uint64_t root) {
    if (partition_.owns(root)) {
      const auto local = static_cast<std::size_t>(root - partition_.own_first());
      distances_[local] = 0;
      parents_[local] = static_cast<Id>(root);
      active_[local / 64] |= std::uint64_t{1} << local % 64;
    }
    width_ = narrow_width();
    for (;;) {
      begin_ = nearest_active();
      if (begin_ == unreached) break;
      end_ = begin_ + width_;
      fill_bucket();
      push_short_arcs();
      if (end_ == unreached) break;  // all arcs were short
      if (finish_bucket()) pull_rest();
    }
    zero_arcs_.find(distances_.span(), parents_.span());
  }

 private:
  struct Message {
    std::uint32_t local;
    std::array<std::uint32_t, sizeof(Id) / 4> source;
    std::array<std::uint32_t, 2> distance;
  };
  /// Nodes with arcs, and their arcs.
  struct Amount {
    std::uint64_t nodes = 0;
    std::uint64_t arcs = 0;
  };
  struct Sent {
    double distance;
    Id node;
    Id source;
  };
  /// A pull prefetches the sources of the node that is so many nodes ahead, and the row of one twice as far.
  static constexpr std::size_t nodes_ahead = 8;
  static constexpr std::size_t sent_places = std::size_t{1} << 14;
  /// See narrow_width(). Measured with two ranks: at scale 18, widths of 0.03, 0.012, 0.009, 0.006 give 129,
  /// 284, 337, 324 MTEPS; at scale 20, widths of 0.03, 0.008, 0.006, 0.004 give 104, 249, 274, 288.
  static constexpr double width_factor = 6;
  /// Buckets widen by a factor when less than a share of the arcs is left.
  static constexpr double widening = 4;
  static constexpr double wide_share = 0.6;
  /// When less than this share of the arcs is left, the rest is one bucket.
  static constexpr double last_share = 0.3;
  /// The rest is pulled as long as nodes with this share of the arcs have changed.
  static constexpr double changed_share = 0.01;

  std::size_t own_nodes() const { return static_cast<std::size_t>(partition_.own_nodes()); }
  std::size_t own_words() const { return static_cast<std::size_t>(partition_.own_words()); }
  bool is_settled(std::uint64_t node) const { return (settled_[node / 64] >> node % 64 & 1) != 0; }

  Amount amount_of(std::span<const std::uint64_t> own_bits) const {
    Amount amount;
    for_each_bit(own_bits, [&](std::uint64_t local) {
      ++amount.nodes;
      amount.arcs += graph_.degree(local);
    });
    return amount;
  }

  /// A bucket of this width relaxes few arcs more than once. Nodes of large degree have more arcs in larger
  /// graphs. Only operations that round alike on all hosts: ranks have to agree.
  double narrow_width() const {
    const auto nodes = static_cast<double>(partition_.nodes());
    return width_factor * nodes / (static_cast<double>(all_arcs_) * std::sqrt(std::sqrt(nodes)));
  }

  /// The smallest distance that is not final, of all ranks.
  double nearest_active() {
    double nearest = unreached;
    for_each_bit(active_.span(),
                 [&](std::uint64_t local) { nearest = std::min(nearest, distances_[local]); });
    // The bits of doubles that are not negative ascend as the numbers do.
    return std::bit_cast<double>(
        communicator_.reduce(std::bit_cast<std::uint64_t>(nearest), mpi::Reduction::minimum));
  }

  void fill_bucket() {
    for_each_bit(active_.span(), [&](std::uint64_t local) {
      if (distances_[local] < end_ || distances_[local] == begin_) enqueue(local);
    });
  }

  void enqueue(std::uint64_t local) {
    members_[local / 64] |= std::uint64_t{1} << local % 64;
    queue_.push(local);
  }

  void relax(std::uint32_t local, double distance, Id source) {
    if (distance < distances_[local]) {
      distances_[local] = distance;
      parents_[local] = source;
      active_[local / 64] |= std::uint64_t{1} << local % 64;
      if (distance < end_) enqueue(local);
    } else if (distance == distances_[local] && source < parents_[local]) {
      parents_[local] = source;
    }
  }

  /// Relaxes the arc from `local` to `to`. Returns false if a buffer is full.
  bool push(double from, Id node, Key arc) {
    const Id to = Arc<Id>::other(arc);
    if (is_settled(to)) return true;
    const double distance = from + Arc<Id>::weight(arc);
    const Id source = from < distance ? node : no_parent;  // an arc that adds nothing makes no parent here
    const unsigned owner = partition_.owner(to);
    if (owner == partition_.rank()) {
      relax(partition_.local(to, owner), distance, source);
      return true;
    }
    Sent& sent = sent_[static_cast<std::size_t>(to) % sent_places];
    if (sent.node == to &&
        (sent.distance < distance || (sent.distance == distance && sent.source <= source))) {
      return true;
    }
    if (pool_.full(owner)) return false;
    sent = {distance, to, source};
    pool_.push(owner, {partition_.local(to, owner), std::bit_cast<decltype(Message::source)>(source),
                       std::bit_cast<decltype(Message::distance)>(distance)});
    return true;
  }

  void receive(std::span<const Message> received) {
    for (const Message& message : received) {
      relax(message.local, std::bit_cast<double>(message.distance), std::bit_cast<Id>(message.source));
    }
  }

  void push_short_arcs() {
    bool busy = false;
    std::uint32_t local = 0;
    std::size_t at = 0;
    const auto produce = [&] {
      for (;; busy = false) {
        if (!busy) {
          if (queue_.empty()) return false;
          local = queue_.pop();
          at = 0;
          busy = true;
        }
        const double from = distances_[local];
        const Id node = static_cast<Id>(partition_.own_first() + local);
        const std::span<const Key> row = graph_.arcs(local);
        for (; at < row.size() && Arc<Id>::weight(row[at]) < width_; ++at) {
          if (!push(from, node, row[at])) return true;
        }
      }
    };
    pool_.rounds(MessagePool<Message>::Until::nothing_sent, produce,
                 [&](std::span<const Message> received) { receive(received); });
  }

  /// Its nodes are final; relaxes their long arcs. Returns true if the rest of the search shall pull.
  bool finish_bucket() {
    const Amount own = amount_of(members_.span());
    unsettled_.nodes -= own.nodes;
    unsettled_.arcs -= own.arcs;
    std::array<std::uint64_t, 4> sums{own.nodes, own.arcs, unsettled_.nodes, unsettled_.arcs};
    communicator_.reduce(sums, mpi::Reduction::sum);
    const auto [members, member_arcs, unsettled_nodes, unsettled_arcs] = sums;
    pulled_.gather_members(communicator_, members_.span(), members);
    for (std::size_t word = 0; word < settled_.size(); ++word) settled_[word] |= pulled_.words()[word];
    for (std::size_t word = 0; word < active_.size(); ++word) active_[word] &= ~members_[word];
    // Tuned on scales 16 to 20: an arc that is pushed costs as much as several that are looked at.
    const bool pulls = members <= pulled_.most() && member_arcs * 4 > unsettled_arcs;
    if (pulls) {
      pull_arcs();
    } else {
      push_long_arcs();
    }
    std::ranges::fill(members_.span(), 0);
    const double left = static_cast<double>(unsettled_arcs) / static_cast<double>(all_arcs_);
    // Counted at scale 18: with 4 ranks, pulling the rest sends as many bytes as pushing it; with 8, 1.4
    // times.
    const bool few = unsettled_nodes <=
                     std::min<std::uint64_t>(pulled_.most(), 3 * partition_.nodes() / partition_.ranks());
    if (pulls && left < wide_share && few) {
      width_ = unreached;
      return true;
    }
    if (left < wide_share) width_ = widening * narrow_width();
    if (left < last_share) width_ = unreached;
    return false;
  }

  /// Pulls what has changed since the last pull, until few nodes have. These are left for one bucket.
  void pull_rest() {
    for (;;) {
      const Amount own = amount_of(active_.span());
      std::array<std::uint64_t, 2> sums{own.nodes, own.arcs};
      communicator_.reduce(sums, mpi::Reduction::sum);
      const auto [changed, changed_arcs] = sums;
      if (static_cast<double>(changed_arcs) < changed_share * static_cast<double>(all_arcs_)) return;
      begin_ = nearest_active();
      std::swap(members_, active_);
      pulled_.gather_members(communicator_, members_.span(), changed);
      pull_arcs();
      std::ranges::fill(members_.span(), 0);
    }
  }

  std::span<const Key> long_arcs(std::uint64_t local) const {
    const std::span<const Key> row = graph_.arcs(local);
    const auto first =
        std::partition_point(row.begin(), row.end(), [&](Key arc) { return Arc<Id>::weight(arc) < width_; });
    return row.subspan(static_cast<std::size_t>(first - row.begin()));
  }

  void push_long_arcs() {
    std::size_t word = 0;
    std::uint64_t bits = members_.size() > 0 ? members_[0] : 0;
    std::size_t at = 0;
    const auto produce = [&] {
      for (;; bits &= bits - 1, at = 0) {
        while (bits == 0) {
          if (++word >= members_.size()) return false;
          bits = members_[word];
        }
        const std::uint64_t local = 64 * word + static_cast<unsigned>(std::countr_zero(bits));
        const std::span<const Key> row = long_arcs(local);
        for (; at < row.size(); ++at) {
          if (!push(distances_[local], static_cast<Id>(partition_.own_first() + local), row[at])) return true;
        }
      }
    };
    pool_.rounds(MessagePool<Message>::Until::all_sent, produce,
                 [&](std::span<const Message> received) { receive(received); });
  }

  /// Nodes that are not final take the best of the arcs from members.
  void pull_arcs() {
    pulled_.gather_distances(communicator_, members_.span(), distances_.span());
    const std::span<const std::uint64_t> final = settled_.span().subspan(
        static_cast<std::size_t>(partition_.first_word(partition_.rank())), own_words());
    constexpr std::size_t chunk_words = 64;
    std::atomic<std::size_t> next_chunk{0};
    team_.all([&](unsigned) {
      std::array<std::uint32_t, 64 * chunk_words> nodes;
      for (;;) {
        const std::size_t first = next_chunk.fetch_add(chunk_words);
        if (first >= own_words()) return;
        std::size_t size = 0;
        for (std::size_t word = first; word < std::min(first + chunk_words, own_words()); ++word) {
          for (std::uint64_t bits = ~(final[word] | graph_.isolated()[word]); bits != 0; bits &= bits - 1) {
            nodes[size++] =
                static_cast<std::uint32_t>(64 * word + static_cast<unsigned>(std::countr_zero(bits)));
          }
        }
        for (std::size_t i = 0; i < size; ++i) {
          if (i + 2 * nodes_ahead < size) core::prefetch(graph_.arcs(nodes[i + 2 * nodes_ahead]).data());
          if (i + nodes_ahead < size) prefetch_sources(nodes[i + nodes_ahead]);
          pull(nodes[i]);
        }
      }
    });
  }

  void prefetch_sources(std::size_t local) const {
    const std::span<const Key> row = graph_.arcs(local);
    for (std::size_t i = 0; i < std::min<std::size_t>(row.size(), 2); ++i) {
      if (begin_ + Arc<Id>::weight(row[i]) > distances_[local]) return;
      core::prefetch(pulled_.find(Arc<Id>::other(row[i])));
    }
  }

  /// Arcs that have been pushed before may come again; they change nothing.
  void pull(std::size_t local) {
    double best = distances_[local];
    Id parent = parents_[local];
    bool nearer = false;
    for (const Key arc : graph_.arcs(local)) {
      const double weight = Arc<Id>::weight(arc);
      if (begin_ + weight > best) break;  // no member is nearer than begin_
      const double* const source = pulled_.find(Arc<Id>::other(arc));
      if (source == nullptr) continue;
      const double distance = *source + weight;
      if (distance > best) continue;
      const Id sender = *source < distance ? Arc<Id>::other(arc) : no_parent;
      parent = distance < best ? sender : std::min(parent, sender);
      nearer = nearer || distance < best;
      best = distance;
    }
    parents_[local] = parent;
    if (!nearer) return;
    distances_[local] = best;
    active_[local / 64] |= std::uint64_t{1} << local % 64;
  }

  mpi::Communicator& communicator_;
  core::ThreadTeam& team_;
  const LocalGraph<Id>& graph_;
  const Partition partition_;
  MessagePool<Message> pool_;
  ZeroArcParents<Id> zero_arcs_;
  core::Array<double> distances_;
  core::Array<Id> parents_;
  NodeRing queue_;
  core::Array<std::uint64_t> active_;   ///< own nodes with a distance that is not final
  core::Array<std::uint64_t> members_;  ///< own nodes of the bucket
  GatheredDistances<Id> pulled_;
  core::Array<std::uint64_t> settled_;  ///< of the whole graph
  core::Array<Sent> sent_;              ///< the latest message to a node with these low bits
  std::uint64_t all_arcs_ = 0;          ///< of all ranks
  Amount all_own_;
  Amount unsettled_;
  double begin_ = 0;
  double end_ = 0;
  double width_ = 0;
};

}  // namespace emgraph::graph::graph500::distributed
