// SPDX-License-Identifier: MIT
// Breadth-first search when a level per node does not fit in memory.
//
// Problem: the levels of a graph whose lists of neighbours lie in pages on the disks. Method: level t + 1 is
// the neighbours of level t, sorted, each once, without those of levels t and t - 1 (external_levels.hpp;
// Munagala and Ranade 1999, "I/O-complexity of graph algorithms", SODA).
//
// For each level the cheapest method reads the lists. Costs are counted in pages read in order: a page on its
// own costs as much as random_page_cost in a row.
//   select    a page for every node, through a cache (external_steps.hpp). Thousands of levels of some
//             thousand nodes: no transfer but the pages that are not in the cache.
//   scan      all pages in order, merged with the level; candidates go through an external sort.
//   bottom up where one bit per node fits: all pages in order, by all threads; nothing is sorted
//             (external_steps.hpp).
//
// Measured (2 cores, loaded machine, both outputs written): grid of 4096 x 4096 from a corner, 8,191 levels,
// -M 32M: 6.4-6.9 s, the search 3.8-4.1 of it, 168 MiB read for 151 MiB of pages. Kronecker, scale 22,
// -M 16M: 4.0-4.3 s, the search 0.8-1.1; without bits, by sorting, 9.4 s, the search 5.7.
//
// I/O: O(min(pages, level) + sort(neighbours of the level)) per level; none for a level whose pages are in
// the cache. Memory: all free memory, divided below. Threads: all for bottom up and sorting, else one.
// Throws: DataError (damaged page), MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/bytes.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/bfs/external_levels.hpp"
#include "graph/bfs/external_log.hpp"
#include "graph/bfs/external_steps.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::bfs {

/// How often each method of reading was chosen, for the summary.
struct LevelCounts {
  std::uint64_t selected = 0;
  std::uint64_t scanned = 0;
  std::uint64_t bottom_up = 0;
};

struct SearchOptions {
  bool bits = true;        ///< one bit per node may be held in memory if it fits
  bool all_pairs = false;  ///< log all parents of a node, not the smallest alone
  /// Give up after reading as many pages as so many scans would; 0: never.
  std::uint64_t most_scans = 0;
};

template <class Id, core::IntegerKey Key>
class ExternalSearch {
 public:
  using Adjacency = adjacency::PagedAdjacency<Id>;

  /// `state`: what save() has written in an earlier process, whose log this is; or null.
  ExternalSearch(core::Environment& environment, Adjacency& graph, const SearchOptions& options,
                 const prepare::EdgeKeys<Key>& keys, SearchLog<Id>& log, core::StateReader* state = nullptr)
      : environment_(environment),
        graph_(graph),
        options_(options),
        log_(log),
        list_bytes_(list_blocks * block_bytes(environment.memory.available())),
        bits_fit_(fit(environment, graph.facts().nodes, options)),
        levels_(environment,
                {.nodes = graph.facts().nodes,
                 .directed = graph.facts().directed,
                 .bits_fit = bits_fit_,
                 .all_pairs = options.all_pairs},
                block_bytes(environment.memory.available()), log, state),
        top_down_(environment, graph, keys, levels_, options.all_pairs) {
    if (state != nullptr) {
      spent_pages_ = state->value<std::uint64_t>();
      counts_ = state->value<LevelCounts>();
    }
    open_cache();
  }

  /// Between two levels.
  void save(core::StateWriter& state) const {
    levels_.save(state);
    state.value(spent_pages_);
    state.value(counts_);
  }

  /// Bits of the visited nodes, and for bottom up of the found nodes, take at most half of the memory.
  static bool fit(const core::Environment& environment, std::uint64_t nodes, const SearchOptions& options) {
    return options.bits && nodes < std::uint64_t{1} << 48 &&
           2 * NodeBits::bytes_for(nodes) <= environment.memory.available() / 2;
  }

  static std::size_t block_bytes(std::size_t memory_bytes) {
    return std::clamp<std::size_t>(core::round_down(memory_bytes / 256, core::page_bytes), core::page_bytes,
                                   64 * core::KiB);
  }

  bool has_bits() const { return levels_.visited() != nullptr; }
  const LevelCounts& counts() const { return counts_; }

  /// Runs the search, once, or what is left of it. Calls between_levels() before each level and at the end.
  /// False: it gave up (SearchOptions::most_scans).
  template <class BetweenLevels>
  bool run(Id root, BetweenLevels&& between_levels) {
    core::Phase phase(environment_.progress, "search", graph_.facts().nodes, "nodes");
    phase.advance(log_.reached() - std::min(log_.reached(), levels_.size()));
    if (log_.levels() == 0) {
      levels_.begin();
      levels_.accept(root, root);
      levels_.end();
    }
    for (; levels_.size() > 0; between_levels()) {
      phase.advance(levels_.size());
      if (options_.most_scans > 0 && spent_pages_ > options_.most_scans * graph_.pages()) break;
      expand();
    }
    graph_.close_cache();
    return levels_.size() == 0;
  }

 private:
  // Cost of a single page in units of pages that a scan reads: 47,000 reads of 4 KiB a second at depth 32,
  // scans at 1.3 GB/s (measured on an earlier disk).
  static constexpr std::uint64_t random_page_cost = 6;
  // Most blocks of lists and their readers at a time.
  static constexpr std::size_t list_blocks = 8;

  void open_cache() {
    const std::size_t free = environment_.memory.available();
    graph_.open_cache(free - std::min(free, list_bytes_));
  }

  void expand() {
    const bool can_go_bottom_up = bits_fit_ && !graph_.facts().directed && !options_.all_pairs;
    const std::uint64_t pages = graph_.absent_pages();
    bool few = levels_.size() * random_page_cost <= pages;
    if (levels_.listed() && levels_.current().in_memory()) {
      few = few || graph_.pages_to_read(levels_.current().span()) * random_page_cost <= pages;
      if (few && select_in_memory()) return;
    } else {
      few = few && levels_.listed();
    }
    graph_.close_cache();
    if (can_go_bottom_up) {
      ++counts_.bottom_up;
      const NodeBits& visited = levels_.make_visited();
      levels_.take(level_from_below(environment_, graph_, visited, log_));
    } else if (few) {
      ++counts_.selected;
      top_down_.select_and_sort(list_bytes_);
    } else {
      ++counts_.scanned;
      top_down_.scan_and_sort(list_bytes_);
    }
    spent_pages_ += pages;
    open_cache();
  }

  bool select_in_memory() {
    const std::uint64_t before = environment_.io.snapshot().read_bytes;
    const bool done = top_down_.select_in_memory();
    const std::uint64_t read = environment_.io.snapshot().read_bytes - before;
    spent_pages_ += read / graph_.context().page_bytes * random_page_cost;
    counts_.selected += done;
    return done;
  }

  core::Environment& environment_;
  Adjacency& graph_;
  const SearchOptions options_;
  SearchLog<Id>& log_;
  const std::size_t list_bytes_;
  const bool bits_fit_;
  SearchLevels<Id> levels_;
  TopDown<Id, Key> top_down_;
  std::uint64_t spent_pages_ = 0;
  LevelCounts counts_;
};

}  // namespace emgraph::graph::bfs
