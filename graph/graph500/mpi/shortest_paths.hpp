// SPDX-License-Identifier: MIT
// Kernel 3: shortest paths by delta-stepping, over all ranks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "graph/graph500/mpi/gathered_bits.hpp"
#include "graph/graph500/mpi/local_graph.hpp"
#include "graph/graph500/mpi/zero_arc_parents.hpp"

namespace emgraph::graph::graph500::mpi {

/// Problem: distances from a root as doubles, the least fixed point of d(v) = min d(u) + w rounded to
/// nearest, and parents: the smallest tight neighbour that is nearer; where only arcs that add nothing are
/// tight, see ZeroArcParents. Neither depends on ranks, threads or bucket widths.
///
/// Method: delta-stepping (Meyer, Sanders 2003, doi 10.1016/S0196-6774(03)00076-2) with the pruning of
/// Chakaravarthy et al. (2014, doi 10.1109/IPDPS.2014.45): arcs shorter than the bucket is wide are pushed
/// until nothing in the bucket changes; then its nodes are final, and their longer arcs are either pushed, or
/// pulled by the nodes that are not final. Who pulls reads its arcs in ascending order of weight, up to the
/// weight that cannot help any more. A bucket begins at the smallest distance that is not final. What is left
/// when most arcs are done is one bucket (the hybrid of the same paper), so that it takes few rounds.
///
/// Parents: a tight arc of a final node is relaxed with its final distance, so the owner sees all of them; it
/// keeps the smallest sender among equal distances. Rounding is monotone, so an arc that was tight with a
/// distance that was not final is tight with the final one, too.
///
/// Memory: 16 bytes (20 for long ids) and 3 bits per own node; 2 bits per node of the graph, half a bit for
/// ranks, the lists of GatheredBits, and the distances of a bucket that is pulled (at most
/// 4 n / P).
/// Threads: pulls by the team, pushes by the caller. Throws: as Communicator.
template <class Id>
class ShortestPaths {
 public:
  using Key = typename Arc<Id>::Key;
  static constexpr double unreached = std::numeric_limits<double>::infinity();
  static constexpr Id no_parent = static_cast<Id>(~Id{0});

  ShortestPaths(Room& room, const LocalGraph<Id>& graph)
      : communicator_(room.communicator),
        team_(room.team),
        graph_(graph),
        partition_(graph.partition()),
        pool_(room.communicator, room.pools),
        zero_arcs_(room, graph),
        distances_(room.memory, own_nodes(), "distances"),
        parents_(room.memory, own_nodes(), "parents"),
        queue_(room.memory, own_nodes(), "a queue of nodes"),
        queued_(room.memory, own_words(), "queued nodes"),
        active_(room.memory, own_words(), "nodes with distances that are not final"),
        members_(room.memory, own_words(), "nodes of the bucket"),
        all_members_(room.memory, partition_, "nodes of the bucket at all ranks"),
        settled_(room.memory, static_cast<std::size_t>(partition_.words()), "final nodes"),
        ranks_(room.memory, static_cast<std::size_t>(partition_.words()), "places of distances"),
        sent_(room.memory, sent_places, "messages sent lately"),
        counts_(partition_.ranks()) {
    // A longer array would break the bound of the memory. The length is the same at all ranks, because they
    // decide by it together.
    const std::uint64_t share = std::max<std::uint64_t>(4 * partition_.nodes() / partition_.ranks(), 65536);
    constexpr std::uint64_t gather_limit = (std::uint64_t{1} << 31) - 1;
    const auto most = static_cast<std::size_t>(std::min({partition_.nodes(), share, gather_limit}));
    pulled_ = core::Array<double>(room.memory, most, "distances of a bucket");
    all_arcs_ = communicator_.reduce(graph.arc_count(), Reduction::sum);
    own_pulled_ =
        core::Array<double>(room.memory, std::min(own_nodes(), pulled_.size()), "own distances of a bucket");
  }

  std::span<double> distances() const { return distances_.span(); }
  std::span<Id> parents() const { return parents_.span(); }

  /// All ranks call it together.
  void search(std::uint64_t root) {
    reset(root);
    width_ = first_width;
    for (;;) {
      begin_ = nearest_active();
      if (begin_ == unreached) break;
      end_ = begin_ + width_;
      fill_bucket();
      push_short_arcs();
      if (end_ == unreached) break;  // all arcs were short
      finish_bucket();
    }
    zero_arcs_.find(distances_.span(), parents_.span());
  }

 private:
  struct Message {
    std::uint32_t local;
    std::array<std::uint32_t, sizeof(Id) / 4> source;
    std::array<std::uint32_t, 2> distance;
  };
  struct Sent {
    double distance;
    Id node;
    Id source;
  };
  static constexpr std::size_t sent_places = std::size_t{1} << 14;
  /// The width of buckets; weights are uniform in [0, 1]. Measured: scale 18, two ranks, 176 and 116
  /// M edges per CPU second of a rank with 0.03 and 0.06 (EPYC, loaded machine).
  static constexpr double first_width = 0.03;
  /// When less than this share of the arcs is left, the rest is one bucket.
  static constexpr double last_share = 0.1;

  std::size_t own_nodes() const { return static_cast<std::size_t>(partition_.own_nodes()); }
  std::size_t own_words() const { return static_cast<std::size_t>(partition_.own_words()); }
  bool is_settled(std::uint64_t node) const { return (settled_[node / 64] >> node % 64 & 1) != 0; }

  void reset(std::uint64_t root) {
    std::ranges::fill(distances_.span(), unreached);
    std::ranges::fill(parents_.span(), no_parent);
    for (const core::Array<std::uint64_t>* bits : {&queued_, &active_, &members_, &settled_}) {
      std::ranges::fill(bits->span(), 0);
    }
    std::ranges::fill(sent_.span(), Sent{unreached, no_parent, no_parent});
    queue_first_ = 0;
    queue_size_ = 0;
    unsettled_arcs_ = graph_.arc_count();
    end_ = 0;
    if (!partition_.owns(root)) return;
    const auto local = static_cast<std::size_t>(root - partition_.own_first());
    distances_[local] = 0;
    parents_[local] = static_cast<Id>(root);
    active_[local / 64] |= std::uint64_t{1} << local % 64;
  }

  /// The smallest distance that is not final, of all ranks.
  double nearest_active() {
    double nearest = unreached;
    for_each_bit(active_.span(),
                 [&](std::uint64_t local) { nearest = std::min(nearest, distances_[local]); });
    // The bits of doubles that are not negative ascend as the numbers do.
    return std::bit_cast<double>(
        communicator_.reduce(std::bit_cast<std::uint64_t>(nearest), Reduction::minimum));
  }

  void fill_bucket() {
    for_each_bit(active_.span(), [&](std::uint64_t local) {
      if (distances_[local] < end_ || distances_[local] == begin_) enqueue(local);
    });
  }

  void enqueue(std::uint64_t local) {
    const std::uint64_t bit = std::uint64_t{1} << local % 64;
    members_[local / 64] |= bit;
    if ((queued_[local / 64] & bit) != 0) return;
    queued_[local / 64] |= bit;
    std::size_t place = queue_first_ + queue_size_++;
    if (place >= queue_.size()) place -= queue_.size();
    queue_[place] = static_cast<std::uint32_t>(local);
  }

  std::uint32_t dequeue() {
    const std::uint32_t local = queue_[queue_first_];
    if (++queue_first_ == queue_.size()) queue_first_ = 0;
    --queue_size_;
    queued_[local / 64] &= ~(std::uint64_t{1} << local % 64);
    return local;
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
          if (queue_size_ == 0) return false;
          local = dequeue();
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

  /// Its nodes are final; relaxes their long arcs.
  void finish_bucket() {
    std::array<std::uint64_t, 3> sums{0, 0, 0};
    for_each_bit(members_.span(), [&](std::uint64_t local) {
      ++sums[0];
      sums[1] += graph_.degree(local);
    });
    const std::uint64_t own_members = sums[0];
    unsettled_arcs_ -= sums[1];
    sums[2] = unsettled_arcs_;
    communicator_.reduce(sums, Reduction::sum);
    const auto [members, member_arcs, unsettled_arcs] = sums;
    all_members_.gather(communicator_, members_.span(), members);
    for (std::size_t word = 0; word < settled_.size(); ++word) settled_[word] |= all_members_.words()[word];
    for (std::size_t word = 0; word < active_.size(); ++word) active_[word] &= ~members_[word];
    // Tuned on scales 16 to 20: an arc that is pushed costs as much as several that are looked at.
    if (members <= pulled_.size() && member_arcs * 4 > unsettled_arcs) {
      pull_long_arcs(own_members);
    } else {
      push_long_arcs();
    }
    std::ranges::fill(members_.span(), 0);
    if (static_cast<double>(unsettled_arcs) < last_share * static_cast<double>(all_arcs_)) width_ = unreached;
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

  /// Gathers the distances of the bucket's nodes, in the order of nodes, at all ranks.
  void gather_distances(std::uint64_t own_members) {
    std::fill(counts_.begin(), counts_.end(), 1);
    std::vector<std::uint64_t> sizes(counts_.size());
    communicator_.gather(&own_members, sizes.data(), counts_, sizeof(std::uint64_t));
    std::size_t place = 0;
    for_each_bit(members_.span(), [&](std::uint64_t local) { own_pulled_[place++] = distances_[local]; });
    communicator_.gather(own_pulled_.data(), pulled_.data(), sizes, sizeof(double));
    std::uint64_t before = 0;
    for (std::size_t word = 0; word < ranks_.size(); ++word) {
      ranks_[word] = static_cast<std::uint32_t>(before);
      before += static_cast<unsigned>(std::popcount(all_members_.words()[word]));
    }
  }

  void pull_long_arcs(std::uint64_t own_members) {
    gather_distances(own_members);
    const std::span<const std::uint64_t> final = settled_.span().subspan(
        static_cast<std::size_t>(partition_.first_word(partition_.rank())), own_words());
    constexpr std::size_t chunk_words = 64;
    std::atomic<std::size_t> next_chunk{0};
    team_.all([&](unsigned) {
      for (;;) {
        const std::size_t first = next_chunk.fetch_add(chunk_words);
        if (first >= own_words()) return;
        for (std::size_t word = first; word < std::min(first + chunk_words, own_words()); ++word) {
          for (std::uint64_t bits = ~(final[word] | graph_.isolated()[word]); bits != 0; bits &= bits - 1) {
            pull(64 * word + static_cast<unsigned>(std::countr_zero(bits)));
          }
        }
      }
    });
  }

  /// The best of the long arcs from the bucket to a node that is not final.
  void pull(std::size_t local) {
    double best = distances_[local];
    Id parent = parents_[local];
    bool nearer = false;
    for (const Key arc : long_arcs(local)) {
      const double weight = Arc<Id>::weight(arc);
      if (begin_ + weight > best) break;  // no node of the bucket is nearer than begin_
      const std::uint64_t from = Arc<Id>::other(arc);
      const std::uint64_t word = all_members_.words()[from / 64];
      if ((word >> from % 64 & 1) == 0) continue;
      const std::uint64_t below = word & ((std::uint64_t{1} << from % 64) - 1);
      const double source = pulled_[ranks_[from / 64] + static_cast<unsigned>(std::popcount(below))];
      const double distance = source + weight;
      if (distance < best) {
        best = distance;
        parent = static_cast<Id>(from);
        nearer = true;
      } else if (distance == best && from < parent) {
        parent = static_cast<Id>(from);
      }
    }
    parents_[local] = parent;
    if (!nearer) return;
    distances_[local] = best;
    active_[local / 64] |= std::uint64_t{1} << local % 64;
  }

  Communicator& communicator_;
  core::ThreadTeam& team_;
  const LocalGraph<Id>& graph_;
  const Partition partition_;
  MessagePool<Message> pool_;
  ZeroArcParents<Id> zero_arcs_;
  core::Array<double> distances_;
  core::Array<Id> parents_;
  core::Array<std::uint32_t> queue_;  ///< a ring; a node is in it at most once
  std::size_t queue_first_ = 0;
  std::size_t queue_size_ = 0;
  core::Array<std::uint64_t> queued_;
  core::Array<std::uint64_t> active_;   ///< own nodes with a distance that is not final
  core::Array<std::uint64_t> members_;  ///< own nodes of the bucket
  GatheredBits<Id> all_members_;
  core::Array<std::uint64_t> settled_;  ///< of the whole graph
  core::Array<std::uint32_t> ranks_;    ///< members before each word
  core::Array<Sent> sent_;              ///< the latest message to a node with these low bits
  core::Array<double> pulled_;
  core::Array<double> own_pulled_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t all_arcs_ = 0;  ///< of all ranks
  std::uint64_t unsettled_arcs_ = 0;
  double begin_ = 0;
  double end_ = 0;
  double width_ = 0;
};

}  // namespace emgraph::graph::graph500::mpi
