// SPDX-License-Identifier: MIT
// One level of a search on compressed pages in memory or on disk: selected lists, or a scan of all pages.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/parallel.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/bfs/search_state.hpp"

namespace emgraph::graph::bfs {

/// Problem: as RowExpansion, with the rows on disk.
///
/// Method: a level of few nodes reads the pages of their lists, many requests at once, and keeps pages in a
/// cache. If successive levels use nearby pages (grids, roads), most pages are found there. If reading single
/// pages would take longer than reading all, or if the level is too large for a list, the level scans all
/// pages in order: top-down (lists of the level's nodes), or, if the level is large and the graph undirected,
/// bottom-up (lists of unvisited nodes, each up to the first neighbour on the level). A scan skips pages
/// without such nodes, and does not read chunks without such pages. If all pages fit into memory, they are
/// read in order and stay there, at the latest when single pages have cost as much. Measured: kron22 (298 MiB
/// of pages), all in memory, 2 threads: 0.16 s per search if scans visit all pages, 0.10 s if they skip pages
/// whose nodes are all visited. Grid of 4096 x 4096 (152 MiB of pages, 8,191 levels) at -M 128M: 3.7 s, 166
/// MiB read (2 virtual cores of an AMD EPYC). I/O: few nodes: each page touched that is not in memory; else
/// all pages that are not in memory. Memory: the free memory when `start` is called, less a share for later
/// users. Threads: all of the environment; one for single pages. Throws: DataError (damaged page),
/// EnvironmentError, MemoryLimitError.
template <class Id>
class PageExpansion {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;
  using Cursor = adjacency::PageCursor<Id>;
  using State = SearchState<Id>;

  PageExpansion(core::Environment& environment, Pages& pages) : environment_(environment), pages_(pages) {}

  void start() {
    by_page_ = above_ = below_ = 0;
    passed_over_ = false;
  }

  /// Reads all pages into memory, as far as they fit.
  void load() {
    if (pages_.store().all_resident()) return;
    close_cache();
    pages_.scan(environment_.threads, keep_bytes(), [](unsigned, Cursor&) {});
  }

  void expand(State& state) {
    if (state.is_list()) {
      if (worth_loading(state.list())) load();
      if (pages_.store().all_resident()) return resident_from_above(state);
      open_cache();
      if (cheap(state.list())) return selected_from_above(state);
    }
    const bool from_below = !pages_.facts().directed && !state.is_list();
    from_below ? scan_from_below(state) : scan_from_above(state);
  }

  /// Frees all memory except resident pages.
  void finish() { close_cache(); }

  std::uint64_t levels_by_page() const { return by_page_; }
  std::uint64_t scans_from_above() const { return above_; }
  std::uint64_t scans_from_below() const { return below_; }

 private:
  // Cost of a single page in units of pages that a scan reads: 47,000 random reads of 4 KiB per second, scans
  // at 1.4 GB/s (measured on an earlier disk).
  static constexpr std::uint64_t single_page_cost = 7;
  // Least number of lists for a second thread.
  static constexpr std::size_t worth_sharing = 1024;
  static constexpr std::size_t list_piece = 128;

  std::uint64_t absent_bytes() const { return pages_.absent_pages() * pages_.context().page_bytes; }
  std::size_t chunk_bytes() const { return pages_.store().chunk_bytes(); }

  /// True if all pages fit into memory together with the buffers of a scan.
  bool all_fit() const {
    const std::size_t held = cache_bytes_;
    const std::size_t buffers = (environment_.threads + 4) * chunk_bytes();
    return absent_bytes() + buffers + chunk_bytes() <= environment_.memory.available() + held;
  }

  bool cheap(std::span<const Id> list) {
    const std::uint64_t absent = pages_.absent_pages();
    if (list.size() * single_page_cost <= absent) return true;
    return pages_.pages_to_read(list) * single_page_cost <= absent;
  }

  // True if all pages fit and single pages have cost as much as reading all would.
  bool worth_loading(std::span<const Id> list) {
    if (pages_.store().all_resident() || !all_fit()) return false;
    pages_read_ += list.size();
    return pages_read_ * single_page_cost > pages_.absent_pages();
  }

  void open_cache() {
    if (cache_bytes_ != 0) return;
    // Takes nearly all free memory: a cache that is slightly smaller than the pages of a level is nearly
    // useless.
    const std::size_t free = environment_.memory.available();
    pages_.open_cache(free - free / 16);
    cache_bytes_ = free - environment_.memory.available();
  }
  void close_cache() {
    pages_.close_cache();
    cache_bytes_ = 0;
  }

  // Bytes that a scan may keep: all pages if they fit, else half of the free memory, so that a cache has
  // space.
  std::size_t keep_bytes() const {
    const std::size_t free = environment_.memory.available();
    return all_fit() ? free : free / 2;
  }

  void resident_from_above(State& state) {
    ++by_page_;
    const std::span<const Id> list = state.list();
    std::atomic<std::size_t> cursor{0};
    core::run_on_threads(list.size() < worth_sharing ? 1 : state.threads(), [&](unsigned thread) {
      typename State::Finder finder(state, thread);
      for (std::size_t first; (first = cursor.fetch_add(list_piece)) < list.size();) {
        pages_.select_resident(list.subspan(first, std::min(list_piece, list.size() - first)),
                               [&](Id node, std::span<const Id> others) {
                                 for (const Id other : others) finder.reach(other, node);
                               });
      }
    });
  }

  void selected_from_above(State& state) {
    ++by_page_;
    typename State::Finder finder(state, 0);
    pages_.select(state.list(), [&](Id node, std::span<const Id> others) {
      for (const Id other : others) finder.reach(other, node);
    });
  }

  void scan_from_above(State& state) {
    ++above_;
    close_cache();
    const AtomicBits& frontier = state.frontier();
    pages_.scan(
        state.threads(), keep_bytes(),
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
          const auto nodes = pages_.nodes_of(page);
          return frontier.any_one(nodes.first, nodes.end);
        });
  }

  void scan_from_below(State& state) {
    ++below_;
    close_cache();
    const AtomicBits& frontier = state.frontier();
    const AtomicBits& visited = state.visited();
    const AtomicBits& next = state.next();
    const bool parents = state.wants_parents();
    const bool pass_over = !std::exchange(passed_over_, true);
    pages_.scan(
        state.threads(), keep_bytes(),
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
          if (pass_over) state.pass_over(expected, pages_.nodes_of(cursor.number()).end);
        },
        [&](std::uint64_t page) {
          const auto nodes = pages_.nodes_of(page);
          return visited.any_zero(nodes.first, nodes.end);
        });
  }

  core::Environment& environment_;
  Pages& pages_;
  std::size_t cache_bytes_ = 0;   ///< 0: no cache is open
  std::uint64_t pages_read_ = 0;  ///< single pages read, approximately
  bool passed_over_ = false;      ///< true: nodes without neighbours count as visited
  std::uint64_t by_page_ = 0;
  std::uint64_t above_ = 0;
  std::uint64_t below_ = 0;
};

}  // namespace emgraph::graph::bfs
