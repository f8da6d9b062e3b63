// SPDX-License-Identifier: MIT
// Core numbers by peeling, with the degrees in memory.
//
// Problem: remove nodes of the least degree again and again; the largest degree so far at which a node goes
// is its core number.
// Method: level k removes all nodes that have k neighbours left. They are a set whose lists are read
// together; each neighbour that thereby gets to k neighbours is in the next set. Levels without nodes are
// skipped. The list of every node is read once, from memory, by single pages or by a scan of all pages,
// whichever is cheapest (adjacency/list_access.hpp).
// Invariant: degrees_[v] is the number of neighbours left if it is above k, else v is removed or in a set,
// and it is the core number. Core numbers are unique, so the order within a set does not matter.
// Source: Seidman (1983), doi 10.1016/0378-8733(83)90028-X; Batagelj, Zaversnik (2003), arXiv cs/0310049;
// sets as in Dasari, Desh, Zubair, "ParK" (2014), doi 10.1109/BigData.2014.7004366.
//
// I/O: the pages that ListAccess reads. Memory: bytes_for(); what ListAccess takes. Threads: one, beside
// those of scans. Throws: as PagedAdjacency.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/list_access.hpp"

namespace emgraph::graph::kcore {

template <class Id>
class Peel {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;

  Peel(core::Environment& environment, Pages& pages)
      : environment_(environment),
        pages_(pages),
        nodes_(static_cast<std::size_t>(pages.facts().nodes)),
        degrees_(environment.memory, nodes_, "a degree per node"),
        left_(environment.memory, nodes_, "an id per node"),
        queue_(environment.memory, nodes_, "an id per node"),
        access_(environment, pages) {}

  static std::uint64_t bytes_for(std::uint64_t nodes) {
    return core::size_sum(core::size_product(nodes, sizeof(std::uint32_t) + 2 * sizeof(Id)),
                          3 * core::page_bytes);
  }
  static constexpr std::uint64_t most_degree = 0xfffffffeU;

  /// Reads the pages into memory if they fit. True if all are there.
  bool load() {
    access_.load();
    return access_.all_resident();
  }

  /// Returns the largest core number.
  std::uint64_t run() {
    count_degrees();
    core::Phase phase(environment_.progress, "peel", nodes_, "nodes");
    for (std::size_t v = 0; v < nodes_; ++v) left_[v] = static_cast<Id>(v);
    left_count_ = nodes_;
    for (bool first = true; next_level(first); first = false) {
      for (std::size_t begin = 0; begin < queue_end_;) {
        const std::size_t end = queue_end_;
        remove(queue_.span().subspan(begin, end - begin));
        phase.advance(end - begin);
        begin = end;
      }
    }
    return level_;
  }
  std::span<const std::uint32_t> cores() const { return degrees_.span(); }
  std::uint64_t rounds() const { return rounds_; }

 private:
  void count_degrees() {
    const core::Phase phase(environment_.progress, "count degrees", pages_.pages(), "pages");
    access_.scan(
        [&](unsigned, adjacency::PageCursor<Id>& cursor) {
          while (cursor.next()) {
            // The list of a node may be in several pages.
            std::atomic_ref(degrees_[static_cast<std::size_t>(cursor.node())])
                .fetch_add(static_cast<std::uint32_t>(cursor.count()), std::memory_order_relaxed);
          }
        },
        [](std::uint64_t) { return true; });
  }

  /// Drops removed nodes from the list of those left; the ones of the least degree become the first set of
  /// the next level. False if there are none left.
  bool next_level(bool first) {
    std::size_t kept = 0;
    std::uint32_t least = ~std::uint32_t{0};
    queue_end_ = 0;
    for (std::size_t i = 0; i < left_count_; ++i) {
      const Id node = left_[i];
      const std::uint32_t degree = degrees_[static_cast<std::size_t>(node)];
      if (!first && degree <= level_) continue;
      left_[kept++] = node;
      if (degree > least) continue;
      if (degree < least) queue_end_ = 0;
      least = degree;
      queue_[queue_end_++] = node;
    }
    left_count_ = kept;
    if (kept == 0) return false;
    level_ = least;
    return true;
  }

  /// `set`: a part of queue_, to whose end the next set is appended.
  void remove(std::span<Id> set) {
    ++rounds_;
    std::sort(set.begin(), set.end());
    const auto visit = [&](Id, std::span<const Id> neighbours) {
      for (const Id neighbour : neighbours) {
        std::uint32_t& degree = degrees_[static_cast<std::size_t>(neighbour)];
        if (degree > level_ && --degree == level_) queue_[queue_end_++] = neighbour;
      }
    };
    if (access_.choose(set) != adjacency::ListAccess<Id>::Way::scan) return access_.select(set, visit);
    const auto here = [&](std::uint64_t page) {
      const auto range = pages_.nodes_of(page);
      const auto begin = std::lower_bound(set.begin(), set.end(), range.first);
      return std::span<const Id>(begin, std::lower_bound(begin, set.end(), range.end));
    };
    std::mutex mutex;
    access_.scan(
        [&](unsigned, adjacency::PageCursor<Id>& cursor) {
          const std::lock_guard lock(mutex);
          Pages::visit_lists(cursor, here(cursor.number()), visit);
        },
        [&](std::uint64_t page) { return !here(page).empty(); });
  }

  core::Environment& environment_;
  Pages& pages_;
  const std::size_t nodes_;
  core::Array<std::uint32_t> degrees_;
  core::Array<Id> left_;   ///< nodes that are not removed; some are, since the level began
  core::Array<Id> queue_;  ///< the sets of a level, one after the other
  adjacency::ListAccess<Id> access_;
  std::size_t left_count_ = 0;
  std::size_t queue_end_ = 0;
  std::uint32_t level_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace emgraph::graph::kcore
