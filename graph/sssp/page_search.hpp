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
           core::format_count(scans_) + " by scans";
  }

  /// The reader of the lists, for passes after the search.
  adjacency::ListAccess<Id>& access() { return access_; }

 private:
  static constexpr std::uint64_t none = Distances::unreached;
  // Least number of lists for a second thread.
  static constexpr std::size_t worth_sharing = 256;
  static constexpr std::size_t list_piece = 64;

  /// What one thread counts in a round.
  struct alignas(64) Tally {
    std::uint64_t reached = 0;
    std::uint64_t relaxed = 0;
    std::uint64_t again = 0;  ///< nodes that became near after they had been relaxed in this bucket
    std::uint64_t least_far = none;
    Id long_list = static_cast<Id>(~Id{0});  ///< node with a list in several pages that is being relaxed
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
      return NodeSet::Visit::keep;
    });
    if (count == 0) return false;
    const std::span<const Id> nodes = list_.span().first(count);
    using Way = typename adjacency::ListAccess<Id>::Way;
    const Way way = access_.choose(nodes);
    if (way == Way::scan || (way == Way::select && access_.scan_is_due())) {
      scan();
      return true;
    }
    ++by_page_;
    if (way == Way::select) {
      access_.select_pages(nodes, relaxing<Sharing::alone>(tallies_[0]));
    } else if (team_.size() == 1 || count < worth_sharing) {
      access_.pages().select_resident_pages(nodes, relaxing<Sharing::alone>(tallies_[0]));
    } else {
      std::atomic<std::size_t> cursor{0};
      team_.all([&](unsigned thread) {
        for (std::size_t first; (first = cursor.fetch_add(list_piece)) < nodes.size();) {
          access_.pages().select_resident_pages(
              nodes.subspan(first, std::min(list_piece, nodes.size() - first)),
              relaxing<Sharing::shared>(tallies_[thread]));
        }
      });
    }
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
  auto relaxing(Tally& tally) {
    return [this, &tally](Cursor& cursor, std::span<const Id> nodes) {
      relax_near<sharing>(cursor, nodes, tally);
    };
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

  /// Relaxes those of the nodes, all with lists in the page, that are near, and then the nodes within the page
  /// that became near, until there are none: so each page is visited fewer times.
  template <Sharing sharing>
  void relax_near(Cursor& cursor, std::span<const Id> nodes, Tally& tally) {
    const Inside page = inside(cursor.number());
    std::array<Id, 256> more;
    Lists lists(cursor);
    while (true) {
      for (const Id node : nodes) {
        // The list of a node that is not inside extends over several pages, which follow each other.
        if (node < page.first ? tally.long_list != node : !near_.remove<sharing>(node)) continue;
        if (node >= page.end) tally.long_list = node;
        ++tally.relaxed;
        relax_list<sharing>(lists, node, tally);
      }
      const std::size_t count = NodeSet::collect<Id>(near_, near_, page.first, page.end, more);
      if (count == 0) return;
      nodes = std::span(more).first(count);
      lists.rewind();
    }
  }

  /// Finds the lists of ascending nodes in a page.
  class Lists {
   public:
    explicit Lists(Cursor& cursor) : cursor_(cursor) {}

    void rewind() {
      cursor_.rewind();
      open_ = false;
    }
    /// Moves to the first part of the list of a node. False if it has none.
    bool find(Id node) {
      if (!open_ || (cursor_.node() < node && node - cursor_.node() > near_by)) {
        cursor_.seek(node);
        open_ = cursor_.next();
      }
      while (open_ && cursor_.node() < node) open_ = cursor_.next();
      return open_ && cursor_.node() == node;
    }
    /// Moves to the next part of the list. False if there is none.
    bool next(Id node) {
      open_ = cursor_.next();
      return open_ && cursor_.node() == node;
    }
    const Cursor& cursor() const { return cursor_; }

   private:
    // A node this near is found faster by reading on than by seeking.
    static constexpr Id near_by = 4;
    Cursor& cursor_;
    bool open_ = false;  ///< the cursor is at a part of a list
  };

  /// Relaxes the arcs of a node whose lists are in the page.
  template <Sharing sharing>
  void relax_list(Lists& lists, Id node, Tally& tally) {
    std::array<Id, adjacency::fragment_neighbours + 3> neighbours;
    std::array<std::uint64_t, adjacency::fragment_neighbours> weights;
    for (bool found = lists.find(node); found; found = lists.next(node)) {
      const Cursor& cursor = lists.cursor();
      cursor.decode(neighbours.data());
      cursor.decode_weights(weights.data());
      relax<sharing>(load<sharing>(node), {neighbours.data(), cursor.count()},
                     {weights.data(), cursor.count()}, tally);
    }
  }

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

  /// Relaxes all pending nodes.
  void scan() {
    ++scans_;
    mark_long_lists();
    access_.scan([&](unsigned thread, Cursor& cursor) { relax_pending(cursor, tallies_[thread]); },
                 [&](std::uint64_t number) {
                   if (long_lists_.test(number) || long_lists_.test(number + 1)) return true;
                   const Inside page = inside(number);
                   return near_.any(page.first, page.end) || far_.any(page.first, page.end);
                 });
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
    Lists lists(cursor);
    if (long_lists_.test(number)) {
      relax_list<Sharing::shared>(lists, access_.pages().index().first_node(number), tally);
    }
    std::array<Id, 256> nodes;
    for (std::uint64_t first = page.first;;) {
      const std::size_t count = NodeSet::collect<Id>(near_, far_, first, page.end, nodes);
      if (count == 0) break;
      for (const Id node : std::span(nodes).first(count)) {
        if (take<Sharing::shared>(node)) relax_list<Sharing::shared>(lists, node, tally);
      }
      first = std::uint64_t{nodes[count - 1]} + 1;
    }
    if (long_lists_.test(number + 1)) {
      relax_list<Sharing::shared>(lists, access_.pages().index().first_node(number + 1), tally);
    }
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
