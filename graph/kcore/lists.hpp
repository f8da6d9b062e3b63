// SPDX-License-Identifier: MIT
// What peeling reads: the lists of a set of nodes, from pages or from rows in memory.
//
// Both classes have the same members. count_degrees() adds the length of each node's list to its degree.
// read(team, set, visitors) calls visitors[thread](neighbours) for the lists of a set of nodes, a list in one
// or several parts, on any thread of the team; it may sort the set.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/base/thread_team.hpp"
#include "core/base/vector_sort.hpp"
#include "core/environment.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/prepare/adjacency/csr.hpp"

namespace emgraph::graph::kcore {

/// The list of every node is read once, from memory, by single pages or by a scan of all pages, whichever is
/// cheapest. I/O, memory, errors: as ListAccess.
template <class Id>
class PageLists {
 public:
  using id_type = Id;
  using Pages = adjacency::PagedAdjacency<Id>;

  PageLists(core::Environment& environment, Pages& pages)
      : environment_(environment), pages_(pages), access_(environment, pages) {}

  /// Reads the pages into memory if they fit.
  void load() { access_.load(); }

  void count_degrees(core::ThreadTeam&, std::span<std::uint32_t> degrees) {
    const core::Phase phase(environment_.progress, "count degrees", pages_.pages(), "pages");
    access_.scan(
        [&](unsigned, adjacency::PageCursor<Id>& cursor) {
          while (cursor.next()) {
            // The list of a node may be in several pages.
            std::atomic_ref(degrees[static_cast<std::size_t>(cursor.node())])
                .fetch_add(static_cast<std::uint32_t>(cursor.count()), std::memory_order_relaxed);
          }
        },
        [](std::uint64_t) { return true; });
  }

  adjacency::ListAccess<Id>& access() { return access_; }

  template <class Visitor>
  void read(core::ThreadTeam& team, std::span<Id> set, std::vector<Visitor>& visitors) {
    core::vector_sort(set);
    read_sorted(team, set, [&](unsigned thread, Id /*node*/, std::span<const Id> neighbours) {
      visitors[thread](neighbours);
    });
  }

  /// Calls take(thread, node, neighbours) for the parts of the lists of these nodes (ascending).
  void read_sorted(core::ThreadTeam& team, std::span<const Id> set,
                   core::FunctionRef<void(unsigned, Id, std::span<const Id>)> take) {
    const auto visit = [&](unsigned thread, adjacency::PageCursor<Id>& cursor, std::span<const Id> here) {
      Pages::visit_lists(cursor, here,
                         [&](Id node, std::span<const Id> neighbours) { take(thread, node, neighbours); });
    };
    if (access_.choose(set) != adjacency::ListAccess<Id>::Way::scan) {
      access_.select_pages(team, set, visit);
      return;
    }
    const auto here = [&](std::uint64_t page) {
      const auto range = pages_.nodes_of(page);
      const auto begin = std::lower_bound(set.begin(), set.end(), range.first);
      return std::span<const Id>(begin, std::lower_bound(begin, set.end(), range.end));
    };
    access_.scan([&](unsigned thread,
                     adjacency::PageCursor<Id>& cursor) { visit(thread, cursor, here(cursor.number())); },
                 [&](std::uint64_t page) { return !here(page).empty(); });
  }

 private:
  core::Environment& environment_;
  Pages& pages_;
  adjacency::ListAccess<Id> access_;
};

/// Rows in memory. I/O: none. Throws: nothing.
class RowLists {
 public:
  using id_type = std::uint32_t;
  using Rows = adjacency::Csr<std::uint32_t, std::uint64_t>;

  explicit RowLists(const Rows& rows) : rows_(rows) {}

  void count_degrees(core::ThreadTeam& team, std::span<std::uint32_t> degrees) {
    in_pieces(team, degrees.size(), 4096, [&](unsigned, std::size_t first, std::size_t end) {
      for (std::size_t v = first; v < end; ++v) degrees[v] = static_cast<std::uint32_t>(rows_.degree(v));
    });
  }

  template <class Visitor>
  void read(core::ThreadTeam& team, std::span<std::uint32_t> set, std::vector<Visitor>& visitors) {
    const auto visit = [&](unsigned thread, std::size_t first, std::size_t end) {
      for (const std::uint32_t node : set.subspan(first, end - first)) {
        for (auto left = rows_.neighbours(node); !left.empty();) {
          const auto part = left.first(std::min(left.size(), part_neighbours));
          visitors[thread](part);
          left = left.subspan(part.size());
        }
      }
    };
    if (worth_sharing(set)) {
      in_pieces(team, set.size(), 64, visit);
    } else {
      visit(0, 0, set.size());
    }
  }

 private:
  static constexpr std::size_t part_neighbours = 256;  ///< that a visitor may look up beforehand

  /// False if reading the lists takes less time than to wake a thread.
  bool worth_sharing(std::span<const std::uint32_t> set) const {
    constexpr std::uint64_t enough = 4096;
    std::uint64_t neighbours = 0;
    for (const std::uint32_t node : set) {
      neighbours += rows_.degree(node);
      if (neighbours >= enough) return true;
    }
    return false;
  }

  /// Calls work(thread, first, end) for pieces of [0, count).
  template <class Work>
  static void in_pieces(core::ThreadTeam& team, std::size_t count, std::size_t piece, Work&& work) {
    std::atomic<std::size_t> cursor{0};
    team.all([&](unsigned thread) {
      for (std::size_t first; (first = cursor.fetch_add(piece, std::memory_order_relaxed)) < count;) {
        work(thread, first, std::min(first + piece, count));
      }
    });
  }

  const Rows& rows_;
};

}  // namespace emgraph::graph::kcore
