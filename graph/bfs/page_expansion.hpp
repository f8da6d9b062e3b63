// SPDX-License-Identifier: MIT
// One level of a search on compressed pages in memory or on disk: selected lists, or a scan of all pages.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>

#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/bfs/search_state.hpp"

namespace emgraph::graph::bfs {

/// Problem: as RowExpansion, with the rows on disk.
///
/// Method: the lists of a level are read in the cheapest way (list_access.hpp). If single pages would take
/// longer than a scan, or if the level is too large for a list, the level scans all pages in order: top-down
/// (lists of the level's nodes), or, if the level is large and the graph undirected, bottom-up (lists of
/// unvisited nodes, each up to the first neighbour on the level). A scan skips pages without such nodes, and
/// does not read chunks without such pages. Measured: kron22 (298 MiB of pages), all in memory, 2 threads:
/// 0.16 s per search if scans visit all pages, 0.10 s if they skip pages whose nodes are all visited. Grid of
/// 4096 x 4096 (152 MiB of pages, 8,191 levels) at -M 128M: 3.7 s, 166 MiB read (2 virtual cores of an AMD
/// EPYC). I/O: few nodes: each page touched that is not in memory; else all pages that are not in memory.
/// Memory: the free memory when `start` is called, less a share for later users. Threads: all of the
/// environment. Throws: DataError (damaged page), EnvironmentError, MemoryLimitError.
template <class Id>
class PageExpansion {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;
  using Cursor = adjacency::PageCursor<Id>;
  using State = SearchState<Id>;

  PageExpansion(core::Environment& environment, Pages& pages)
      : access_(environment, pages), team_(environment.threads) {}

  void start() {
    by_page_ = above_ = below_ = 0;
    passed_over_ = false;
  }

  /// The counts of the levels so far.
  void save(core::StateWriter& state) const {
    for (const std::uint64_t count : {by_page_, above_, below_}) state.value(count);
  }
  void restore(core::StateReader& state) {
    for (std::uint64_t* const count : {&by_page_, &above_, &below_}) *count = state.value<std::uint64_t>();
  }

  /// Reads all pages into memory, as far as they fit.
  void load() { access_.load(); }

  void expand(State& state) {
    using Way = typename adjacency::ListAccess<Id>::Way;
    const Way way = state.is_list() ? access_.choose(state.list()) : Way::scan;
    if (way == Way::resident) return resident_from_above(state);
    if (way == Way::select) return selected_from_above(state);
    const bool from_below = !access_.pages().facts().directed && !state.is_list();
    from_below ? scan_from_below(state) : scan_from_above(state);
  }

  /// Frees all memory except resident pages.
  void finish() { access_.close_cache(); }

  std::uint64_t levels_by_page() const { return by_page_; }
  std::uint64_t scans_from_above() const { return above_; }
  std::uint64_t scans_from_below() const { return below_; }

 private:
  // Least number of lists for a second thread.
  static constexpr std::size_t worth_sharing = 1024;
  static constexpr std::size_t list_piece = 128;
  // Nodes ahead whose bits are fetched: in graphs with locality those of their neighbours are beside them.
  // Measured: grid of 4096 x 4096 at -M 128M from kept pages, two threads: 2.1 s, without 2.7 to 3.3 (2 cores
  // of an Intel Xeon, whose bits of a diagonal meet in the same sets of its caches).
  static constexpr std::size_t bits_ahead = 16;

  void resident_from_above(State& state) {
    ++by_page_;
    const std::span<const Id> list = state.list();
    std::atomic<std::size_t> cursor{0};
    const auto visit_some = [&](unsigned thread) {
      typename State::Finder finder(state, thread);
      for (std::size_t first; (first = cursor.fetch_add(list_piece)) < list.size();) {
        access_.pages().select_resident(list.subspan(first, std::min(list_piece, list.size() - first)),
                                        [&](Id node, std::span<const Id> others) {
                                          for (const Id other : others) finder.reach(other, node);
                                        });
      }
    };
    if (list.size() < worth_sharing) return visit_some(0);
    team_.all(visit_some);
  }

  void selected_from_above(State& state) {
    ++by_page_;
    std::deque<typename State::Finder> finders;
    for (unsigned thread = 0; thread < team_.size(); ++thread) finders.emplace_back(state, thread);
    const std::span<const Id> list = state.list();
    access_.select_pages(team_, list, [&](unsigned thread, Cursor& cursor, std::span<const Id> here) {
      const std::size_t ahead = static_cast<std::size_t>(here.data() - list.data()) + bits_ahead;
      for (std::size_t i = ahead; i < std::min(ahead + here.size(), list.size()); ++i)
        state.prefetch(list[i]);
      Pages::visit_lists(cursor, here, [&](Id node, std::span<const Id> others) {
        for (const Id other : others) finders[thread].reach(other, node);
      });
    });
  }

  void scan_from_above(State& state) {
    ++above_;
    const AtomicBits& frontier = state.frontier();
    access_.scan(
        [&](unsigned thread, Cursor& cursor) {
          typename State::Finder finder(state, thread);
          std::array<Id, adjacency::fragment_neighbours + 3> list;
          while (cursor.next()) {
            const Id node = cursor.node();
            if (!frontier.test(node)) continue;
            cursor.decode(list.data());
            for (unsigned i = 0; i < cursor.count(); ++i) finder.reach(list[i], node);
          }
        },
        [&](std::uint64_t page) {
          const auto nodes = access_.pages().nodes_of(page);
          return frontier.any_one(nodes.first, nodes.end);
        });
  }

  void scan_from_below(State& state) {
    ++below_;
    const AtomicBits& frontier = state.frontier();
    const AtomicBits& visited = state.visited();
    const AtomicBits& next = state.next();
    const bool parents = state.wants_parents();
    const bool pass_over = !std::exchange(passed_over_, true);
    access_.scan(
        [&](unsigned thread, Cursor& cursor) {
          typename State::Finder finder(state, thread);
          Id found = 0;
          bool any = false;
          std::uint64_t expected = 0;  // node of the next list if all nodes have a list
          while (cursor.next()) {
            const Id node = cursor.node();
            if (pass_over) {
              if (expected != 0) state.pass_over(expected, node);
              expected = std::uint64_t{node} + 1;
            }
            if (visited.test(node) || (any && node == found)) continue;
            // Another thread may have found the node in a later part of its list, and then with another
            // parent.
            if (!parents && next.test(node)) continue;
            Id parent = 0;
            if (!cursor.find([&](Id other) { return frontier.test(parent = other); })) continue;
            finder.take(node, parent);
            found = node;
            any = true;
          }
          if (pass_over) state.pass_over(expected, access_.pages().nodes_of(cursor.number()).end);
        },
        [&](std::uint64_t page) {
          const auto nodes = access_.pages().nodes_of(page);
          return visited.any_zero(nodes.first, nodes.end);
        });
  }

  adjacency::ListAccess<Id> access_;
  core::ThreadTeam team_;
  bool passed_over_ = false;  ///< true: nodes without neighbours count as visited
  std::uint64_t by_page_ = 0;
  std::uint64_t above_ = 0;
  std::uint64_t below_ = 0;
};

}  // namespace emgraph::graph::bfs
