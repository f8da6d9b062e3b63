// SPDX-License-Identifier: MIT
// Shortest paths with the distances in memory and the lists in compressed pages, on disk or in memory.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/node_bits.hpp"
#include "graph/sssp/bucket_width.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/node_set.hpp"

namespace emgraph::graph::sssp {

/// What a search over all nodes found.
struct Reach {
  std::uint64_t nodes = 0;         ///< reached nodes, including the root
  std::uint64_t max_distance = 0;  ///< largest finite distance, as a word (distances.hpp)
};

/// Problem: distances from a root, with one word per node in memory and the lists of neighbours on disk.
///
/// Method: delta-stepping (Meyer, Sanders 2003, doi 10.1016/S0196-6774(03)00076-2) without queues: a node is
/// pending if its distance fell since its list was read, and belongs to the set `near` if its distance is in
/// the current bucket, else to `far`. A round reads the lists of the near nodes, ascending, so that each page
/// is used once; they may become near again. When no node is near, the next bucket begins at the least
/// pending distance. A round of few pages reads them through a cache; if all pages fit into memory, they are
/// read once and all threads work on a round (list_access.hpp).
///
/// A scan reads all pages that hold lists of pending nodes; it relaxes all pending nodes, also those beyond
/// the bucket, because reading costs more than relaxing. A node that becomes pending during the scan is
/// relaxed by the same scan if its page is still to come. The search scans when a round touches so many pages
/// that a scan is cheaper, and when single pages have been read again at the cost of a scan.
///
/// Invariants: a node of `far` whose distance is below the bucket's end is not pending. The order of
/// relaxations does not matter: distances only fall, and end at the least fixed point.
/// I/O: as ListAccess. Memory: bytes_for(nodes) beside the distances, then what is free when a round begins,
/// less a share for later users. Threads: all of the environment; one for single pages. Throws: DataError
/// (damaged page), EnvironmentError, MemoryLimitError; afterwards only destruction is allowed.
template <class Id, class Distances>
class PageSearch {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;
  using Cursor = adjacency::PageCursor<Id>;

  /// `delta`: width of a bucket in units of the weights; default: see BucketWidth. Requires: the lists have
  /// weights, all valid lengths (distances.hpp).
  PageSearch(core::Environment& environment, Pages& pages, const std::optional<std::uint64_t>& delta)
      : environment_(environment),
        access_(environment, pages),
        weight_(pages.facts().weight),
        width_(pages.facts(), delta),
        team_(environment.threads),
        near_(environment.memory, pages.facts().nodes, "one bit per pending node"),
        far_(environment.memory, pages.facts().nodes, "one bit per pending node"),
        list_(environment.memory, list_capacity(pages.facts().nodes), "the nodes of a round"),
        long_lists_(environment.memory, pages.pages() + 1, "one bit per page"),
        tallies_(environment.threads) {}

  /// Memory for `nodes` nodes, without the cache and the buffers of scans.
  static std::uint64_t bytes_for(std::uint64_t nodes) {
    return 2 * NodeSet::bytes_for(nodes) + list_capacity(nodes) * sizeof(Id) + 2 * core::page_bytes;
  }

  /// Reads all pages into memory, as far as they fit.
  void load() { access_.load(); }

  /// Fills `distances`, one word per node. With a target, the search ends when its distance is final; larger
  /// ones are then upper bounds, and so is max_distance.
  Reach run(Id root, std::span<std::uint64_t> distances, const std::optional<Id>& target = std::nullopt) {
    start(root, distances);
    core::Phase phase(environment_.progress, "search", distances.size(), "nodes");
    while (true) {
      while (expand()) {
        const std::uint64_t before = std::exchange(reached_, gather_tallies());
        phase.advance(reached_ - before);
      }
      if (target && distances[static_cast<std::size_t>(*target)] <= least_far_) break;
      if (!next_bucket()) break;
    }
    return {reached_, max_distance()};
  }

  /// How the lists were read, for the summary.
  std::string method() const {
    return core::format_count(by_page_) + (by_page_ == 1 ? " round by page, " : " rounds by page, ") +
           core::format_count(scans_) + " by scans, bucket width " + width_.text();
  }

  /// The reader of the lists, for passes after the search.
  adjacency::ListAccess<Id>& access() { return access_; }

 private:
  static constexpr std::uint64_t none = Distances::unreached;
  /// What one thread counts in a round.
  struct alignas(64) Tally {
    std::uint64_t reached = 0;
    std::uint64_t relaxed = 0;
    std::uint64_t again = 0;  ///< nodes that became near after they had been relaxed in this bucket
    std::uint64_t least_far = none;
  };

  static std::size_t list_capacity(std::uint64_t nodes) {
    return static_cast<std::size_t>(std::max<std::uint64_t>(nodes / 64, 1024));
  }

  void start(Id root, std::span<std::uint64_t> distances) {
    distances_ = distances;
    team_.all([&](unsigned thread) { std::ranges::fill(share_of(thread), none); });
    near_.clear();
    far_.clear();
    by_page_ = scans_ = 0;
    distances[static_cast<std::size_t>(root)] = 0;
    near_.insert<Sharing::alone>(root);
    end_ = width_.end(0);
    least_far_ = none;
    reached_ = 1;
  }

  std::span<std::uint64_t> share_of(unsigned thread) const {
    const std::size_t first = distances_.size() * thread / team_.size();
    return distances_.subspan(first, distances_.size() * (thread + 1) / team_.size() - first);
  }

  std::uint64_t distance(std::uint64_t node) const { return distances_[static_cast<std::size_t>(node)]; }

  /// Relaxes near nodes: all, or as many as the list holds. False if there are none.
  bool expand() {
    std::size_t count = 0;
    near_.walk([&](std::uint64_t node) {
      if (count == list_.size()) return NodeSet::Visit::stop;
      __builtin_prefetch(distances_.data() + node);
      list_[count++] = static_cast<Id>(node);
      return NodeSet::Visit::remove;
    });
    if (count == 0) return false;
    const std::span<const Id> nodes = list_.span().first(count);
    using Way = typename adjacency::ListAccess<Id>::Way;
    const Way way = access_.choose(nodes);
    if (way == Way::scan || (way == Way::select && access_.scan_is_due())) {
      for (const Id node : nodes) near_.insert<Sharing::alone>(node);
      scan(way == Way::scan);
      return true;
    }
    ++by_page_;
    team_.size() == 1 ? relax_listed<Sharing::alone>(nodes) : relax_listed<Sharing::shared>(nodes);
    std::uint64_t relaxed = 0;
    std::uint64_t again = 0;
    for (Tally& tally : tallies_) {
      relaxed += std::exchange(tally.relaxed, 0);
      again += std::exchange(tally.again, 0);
    }
    if (width_.count(relaxed, again)) shorten_bucket();
    return true;
  }

  template <Sharing sharing>
  void relax_listed(std::span<const Id> nodes) {
    access_.select_pages(team_, nodes, [&](unsigned thread, Cursor& cursor, std::span<const Id> here) {
      relax_near<sharing>(cursor, here, tallies_[thread]);
    });
  }

  /// The nodes whose lists are in one page, all of it.
  struct Inside {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  Inside inside(std::uint64_t page) const {
    const adjacency::PageIndex<Id>& index = access_.pages().index();
    const auto nodes = access_.pages().nodes_of(page);
    const bool continued = page + 1 < index.pages() && index.continues(page + 1);
    return {page == 0 ? 0 : nodes.first + std::uint64_t{index.continues(page)},
            nodes.end - std::uint64_t{continued}};
  }

  /// Relaxes the nodes, which have lists in the page, and then the nodes inside the page that became near,
  /// until there are none: so each page is visited fewer times.
  template <Sharing sharing>
  void relax_near(Cursor& cursor, std::span<const Id> nodes, Tally& tally) {
    const Inside page = inside(cursor.number());
    std::array<Id, 256> more;
    Lists lists(*this, cursor, tally);
    while (true) {
      for (const Id node : nodes) {
        // If the node came nearer since it was listed, it is near again. A list that extends over several
        // pages is read by several threads, so such a node stays near.
        if (node >= page.first && node < page.end) near_.remove<sharing>(node);
        lists.template add<sharing>(node);
      }
      lists.template relax<sharing>();
      tally.relaxed += nodes.size();
      const std::size_t count = NodeSet::collect<Id>(near_, near_, page.first, page.end, more);
      if (count == 0) return;
      nodes = std::span(more).first(count);
      lists.rewind();
    }
  }

  /// Gathers the lists of some nodes of a page, ascending, and relaxes them together, so that the loads of
  /// their neighbours' distances overlap.
  class Lists {
   public:
    Lists(PageSearch& search, Cursor& cursor, Tally& tally)
        : search_(search), cursor_(cursor), tally_(tally) {}

    void rewind() {
      cursor_.rewind();
      open_ = false;
    }
    /// Adds the list of a node, as far as it is in the page.
    template <Sharing sharing>
    void add(Id node) {
      if (!open_ || (cursor_.node() < node && node - cursor_.node() > near_by)) {
        cursor_.seek(node);
        open_ = cursor_.next();
      }
      while (open_ && cursor_.node() < node) open_ = cursor_.next();
      for (; open_ && cursor_.node() == node; open_ = cursor_.next()) {
        if (entries_ + cursor_.count() > most_entries || parts_ == ends_.size()) relax<sharing>();
        cursor_.decode(neighbours_.data() + entries_);
        cursor_.decode_weights(weights_.data() + entries_);
        for (unsigned i = 0; i < cursor_.count(); ++i) {
          __builtin_prefetch(search_.distances_.data() + neighbours_[entries_ + i]);
        }
        entries_ += cursor_.count();
        nodes_[parts_] = node;
        ends_[parts_++] = static_cast<std::uint16_t>(entries_);
      }
    }
    /// Relaxes the gathered lists.
    template <Sharing sharing>
    void relax() {
      std::size_t begin = 0;
      for (std::size_t i = 0; i < parts_; ++i) {
        const std::size_t count = ends_[i] - begin;
        search_.template relax<sharing>(search_.template load<sharing>(nodes_[i]),
                                        {neighbours_.data() + begin, count}, {weights_.data() + begin, count},
                                        tally_);
        begin = ends_[i];
      }
      parts_ = entries_ = 0;
    }

   private:
    // A node this near is found faster by reading on than by seeking.
    static constexpr Id near_by = 4;
    static constexpr std::size_t most_entries = 2 * adjacency::fragment_neighbours;
    PageSearch& search_;
    Cursor& cursor_;
    Tally& tally_;
    bool open_ = false;  ///< the cursor is at a part of a list
    std::size_t parts_ = 0;
    std::size_t entries_ = 0;
    std::array<Id, 64> nodes_;
    std::array<std::uint16_t, 64> ends_;
    std::array<Id, most_entries + 3> neighbours_;
    std::array<std::uint64_t, most_entries> weights_;
  };

  template <Sharing sharing>
  std::uint64_t load(Id node) const {
    std::uint64_t& place = distances_[static_cast<std::size_t>(node)];
    return sharing == Sharing::shared ? std::atomic_ref(place).load() : place;
  }

  /// Relaxes arcs from a node at `distance`.
  template <Sharing sharing>
  void relax(std::uint64_t distance, std::span<const Id> neighbours, std::span<const std::uint64_t> weights,
             Tally& tally) {
    // In two loops, because the first one is without branches: its loads from all over the memory overlap.
    std::array<std::uint64_t, adjacency::fragment_neighbours> sums;
    std::array<std::uint16_t, adjacency::fragment_neighbours> nearer;
    std::size_t count = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint64_t length = Distances::floating ? length_of(weight_, weights[i]) : weights[i];
      sums[i] = Distances::add(distance, length);
      nearer[count] = static_cast<std::uint16_t>(i);
      count += sums[i] < load<sharing>(neighbours[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      lower<sharing>(neighbours[nearer[i]], sums[nearer[i]], tally);
    }
  }

  template <Sharing sharing>
  void lower(Id node, std::uint64_t distance, Tally& tally) {
    std::uint64_t& place = distances_[static_cast<std::size_t>(node)];
    std::uint64_t known = 0;
    if constexpr (sharing == Sharing::shared) {
      const std::atomic_ref<std::uint64_t> shared(place);
      known = shared.load();
      do {
        if (distance >= known) return;
      } while (!shared.compare_exchange_weak(known, distance));
    } else {
      known = std::exchange(place, distance);
    }
    tally.reached += known == none;
    if (distance < end_) {
      tally.again += near_.insert<sharing>(node) && known < end_;
    } else {
      far_.insert<sharing>(node);
      tally.least_far = std::min(tally.least_far, distance);
    }
  }

  /// Returns the number of reached nodes.
  std::uint64_t gather_tallies() {
    std::uint64_t reached = reached_;
    for (Tally& tally : tallies_) {
      reached += std::exchange(tally.reached, 0);
      least_far_ = std::min(least_far_, std::exchange(tally.least_far, none));
    }
    return reached;
  }

  /// Begins the next bucket at the least pending distance. False if no node is pending. Requires: no node is
  /// near.
  bool next_bucket() {
    width_.end_bucket();
    bool any = false;
    // The least distance may be that of a node that came nearer since, so that the bucket is empty.
    while (!any && least_far_ != none && end_ != none) {
      const std::uint64_t settled = end_;
      end_ = width_.end(std::max(settled, std::exchange(least_far_, none)));
      far_.walk([&](std::uint64_t node) {
        const std::uint64_t here = distance(node);
        if (here >= end_) {
          least_far_ = std::min(least_far_, here);
          return NodeSet::Visit::keep;
        }
        if (here >= settled) {
          near_.insert<Sharing::alone>(node);
          any = true;
        }
        return NodeSet::Visit::remove;
      });
    }
    return any;
  }

  /// Moves the end of the bucket to its new width from the least near distance.
  void shorten_bucket() {
    std::uint64_t begin = none;
    near_.walk([&](std::uint64_t node) {
      begin = std::min(begin, distance(node));
      return NodeSet::Visit::keep;
    });
    if (begin == none) return;
    end_ = std::min(end_, width_.end(begin));
    near_.walk([&](std::uint64_t node) {
      if (distance(node) < end_) return NodeSet::Visit::keep;
      far_.insert<Sharing::alone>(node);
      least_far_ = std::min(least_far_, distance(node));
      return NodeSet::Visit::remove;
    });
  }

  template <Sharing sharing>
  bool take(std::uint64_t node) {
    const bool near = near_.remove<sharing>(node);
    return far_.remove<sharing>(node) || near;
  }

  /// Relaxes all pending nodes. `keep`: as ListAccess::scan.
  void scan(bool keep) {
    ++scans_;
    mark_long_lists();
    access_.scan([&](unsigned thread, Cursor& cursor) { relax_pending(cursor, tallies_[thread]); },
                 [&](std::uint64_t number) {
                   if (long_lists_.test(number) || long_lists_.test(number + 1)) return true;
                   const Inside page = inside(number);
                   return near_.any(page.first, page.end) || far_.any(page.first, page.end);
                 },
                 keep);
    for (Tally& tally : tallies_) tally.relaxed = tally.again = 0;
  }

  // The parts of a list that extends over several pages are relaxed by several threads. So it is decided
  // before the scan whether they are: bit p stands for the list that page p continues.
  void mark_long_lists() {
    long_lists_.clear();
    const adjacency::PageIndex<Id>& index = access_.pages().index();
    for (std::uint64_t page = 1; page < index.pages(); ++page) {
      if (!index.continues(page)) continue;
      const Id node = index.first_node(page);
      const bool goes_on = index.continues(page - 1) && index.first_node(page - 1) == node;
      if (goes_on ? long_lists_.test(page - 1) : take<Sharing::alone>(node)) long_lists_.set(page);
    }
  }

  /// Relaxes the pending nodes with lists in the page.
  void relax_pending(Cursor& cursor, Tally& tally) {
    const std::uint64_t number = cursor.number();
    const Inside page = inside(number);
    Lists lists(*this, cursor, tally);
    const auto add = [&](Id node) { lists.template add<Sharing::shared>(node); };
    if (long_lists_.test(number)) add(access_.pages().index().first_node(number));
    std::array<Id, 256> nodes;
    for (std::uint64_t first = page.first;;) {
      const std::size_t count = NodeSet::collect<Id>(near_, far_, first, page.end, nodes);
      if (count == 0) break;
      for (const Id node : std::span(nodes).first(count)) {
        if (take<Sharing::shared>(node)) add(node);
      }
      first = std::uint64_t{nodes[count - 1]} + 1;
    }
    if (long_lists_.test(number + 1)) add(access_.pages().index().first_node(number + 1));
    lists.template relax<Sharing::shared>();
  }

  std::uint64_t max_distance() {
    std::vector<std::uint64_t> most(team_.size());
    team_.all([&](unsigned thread) {
      std::uint64_t largest = 0;
      for (const std::uint64_t word : share_of(thread)) largest = std::max(largest, word == none ? 0 : word);
      most[thread] = largest;
    });
    return *std::ranges::max_element(most);
  }

  core::Environment& environment_;
  adjacency::ListAccess<Id> access_;
  const WeightType weight_;
  BucketWidth<Distances> width_;
  core::ThreadTeam team_;
  NodeSet near_;
  NodeSet far_;
  core::Array<Id> list_;
  NodeBits long_lists_;
  std::vector<Tally> tallies_;

  std::span<std::uint64_t> distances_;
  std::uint64_t end_ = 0;           ///< end of the current bucket
  std::uint64_t least_far_ = none;  ///< no far node is nearer
  std::uint64_t reached_ = 0;
  std::uint64_t by_page_ = 0;
  std::uint64_t scans_ = 0;
};

}  // namespace emgraph::graph::sssp
