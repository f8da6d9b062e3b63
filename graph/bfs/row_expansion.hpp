// SPDX-License-Identifier: MIT
// One level of a search on rows in memory, top-down or bottom-up.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/parallel.hpp"
#include "graph/bfs/search_state.hpp"
#include "graph/prepare/adjacency/csr.hpp"

namespace emgraph::graph::bfs {

/// Problem: the nodes of the next level, and of each the smallest neighbour in the frontier.
///
/// Method: direction-optimising. Top-down: the unvisited neighbours of the frontier. Bottom-up: each
/// unvisited node looks for a neighbour in the frontier. If rows ascend, the first one is the smallest, and
/// the search of a row ends there; so it does if parents are not asked for. Bottom-up if the frontier has
/// more than a fraction of the unexplored edges, or too many nodes for a list; directed graphs always
/// top-down. Measured: kron22, 2 threads: 0.04 to 0.06 s a search (2 virtual cores of an AMD EPYC). Source:
/// Beamer, Asanović, Patterson 2012, doi 10.1109/SC.2012.50 (with its alpha; beta is the capacity of a list,
/// n/64). I/O: none. Memory: none of its own. Threads: all of the environment, one for levels of few edges.
/// Throws: what NodeValues throws.
template <class Id, class Offset>
class RowExpansion {
 public:
  using Rows = adjacency::Csr<Id, Offset>;
  using State = SearchState<Id>;

  /// `any_neighbour`: of a node's neighbours in the frontier the first one in its row will do.
  RowExpansion(const Rows& rows, bool any_neighbour) : rows_(rows), any_neighbour_(any_neighbour) {}

  void start() {
    unexplored_ = rows_.facts().entries;
    above_ = below_ = 0;
  }

  void expand(State& state) {
    const bool directed = rows_.facts().directed;
    if (state.is_list()) {
      std::uint64_t edges = 0;
      for (const Id node : state.list()) edges += rows_.degree(node);
      if (directed || edges <= unexplored_ / alpha) {
        unexplored_ -= std::min(edges, unexplored_);
        return list_from_above(state, edges);
      }
    }
    if (directed) return bits_from_above(state);
    from_below(state);
  }

  /// Does nothing; for the interface of PageExpansion.
  void finish() {}

  std::uint64_t levels_from_above() const { return above_; }
  std::uint64_t levels_from_below() const { return below_; }

 private:
  static constexpr std::uint64_t alpha = 15;
  // With fewer edges a second thread costs more than it gains.
  static constexpr std::uint64_t worth_sharing = 32768;
  static constexpr std::size_t list_piece = 64;
  static constexpr std::size_t word_piece = 64;  ///< 4096 nodes

  void list_from_above(State& state, std::uint64_t edges) {
    ++above_;
    const std::span<const Id> list = state.list();
    std::atomic<std::size_t> cursor{0};
    core::run_on_threads(edges < worth_sharing ? 1 : state.threads(), [&](unsigned thread) {
      typename State::Finder finder(state, thread);
      for (std::size_t first; (first = cursor.fetch_add(list_piece)) < list.size();) {
        for (const Id node : list.subspan(first, std::min(list_piece, list.size() - first))) {
          for (const Id other : rows_.neighbours(node)) finder.reach(other, node);
        }
      }
    });
  }

  void bits_from_above(State& state) {
    ++above_;
    const AtomicBits& frontier = state.frontier();
    const std::size_t words = frontier.words().size();
    std::atomic<std::size_t> cursor{0};
    core::run_on_threads(state.threads(), [&](unsigned thread) {
      typename State::Finder finder(state, thread);
      for (std::size_t first; (first = cursor.fetch_add(word_piece)) < words;) {
        frontier.for_each_one(first, std::min(words, first + word_piece), [&](std::uint64_t node) {
          for (const Id other : rows_.neighbours(node)) finder.reach(other, static_cast<Id>(node));
        });
      }
    });
  }

  void from_below(State& state) {
    ++below_;
    if (any_neighbour_) {
      look_below(state, [](const AtomicBits& frontier, std::span<const Id> row) {
        const auto at = std::ranges::find_if(row, [&](Id other) { return frontier.test(other); });
        return at == row.end() ? nullptr : &*at;
      });
    } else {
      look_below(state, [](const AtomicBits& frontier, std::span<const Id> row) {
        const Id* parent = nullptr;
        Id smallest = ~Id{0};
        for (const Id& other : row) {
          if (other > smallest || !frontier.test(other)) continue;
          smallest = other;
          parent = &other;
        }
        return parent;
      });
    }
  }

  /// `parent_in(frontier, row)`: where the row has a neighbour in the frontier, or null.
  template <class ParentIn>
  void look_below(State& state, ParentIn&& parent_in) {
    const AtomicBits& frontier = state.frontier();
    const std::span<const std::uint64_t> visited = state.visited().words();
    const std::size_t words = visited.size();
    std::atomic<std::size_t> cursor{0};
    core::run_on_threads(state.threads(), [&](unsigned thread) {
      typename State::Finder finder(state, thread);
      for (std::size_t first; (first = cursor.fetch_add(word_piece)) < words;) {
        for (std::size_t w = first; w < std::min(words, first + word_piece); ++w) {
          const std::uint64_t left = rows_.nodes() - w * 64;
          std::uint64_t open = ~visited[w];
          if (left < 64) open &= (std::uint64_t{1} << left) - 1;
          std::uint64_t found = 0;
          for (; open != 0; open &= open - 1) {
            const std::size_t node = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
            const Id* const parent = parent_in(frontier, rows_.neighbours(node));
            if (parent == nullptr) continue;
            found |= open & (~open + 1);
            finder.parent_of(static_cast<Id>(node), *parent);
          }
          finder.take_word(w, found);
        }
      }
    });
  }

  const Rows& rows_;
  const bool any_neighbour_;
  std::uint64_t unexplored_ = 0;  ///< entries of the rows that no top-down level has read
  std::uint64_t above_ = 0;
  std::uint64_t below_ = 0;
};

}  // namespace emgraph::graph::bfs
