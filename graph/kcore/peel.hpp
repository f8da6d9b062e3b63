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
// I/O: the pages that ListAccess reads. Memory: bytes_for(); what ListAccess takes. Threads: all read the
// lists of a set. Throws: as PagedAdjacency.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_team.hpp"
#include "core/base/vector_sort.hpp"
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
        found_(environment.memory, std::size_t{environment.threads} * batch, "nodes of the next set"),
        team_(environment.threads),
        access_(environment, pages) {}

  static std::uint64_t bytes_for(std::uint64_t nodes, unsigned threads) {
    return core::size_sum(core::size_product(nodes, sizeof(std::uint32_t) + 2 * sizeof(Id)),
                          core::size_product(threads, batch * sizeof(Id)), 4 * core::page_bytes);
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
  static constexpr std::size_t batch = 1024;

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

  /// Removes the nodes of `set` (a part of queue_) whose lists it sees. Nodes that thereby get to the level
  /// are the next set.
  class Remover {
   public:
    Remover(Peel& peel, unsigned thread) : peel_(peel), found_(peel.found_.data() + thread * batch) {}

    void operator()(Id /*node*/, std::span<const Id> neighbours) {
      // The degrees are anywhere in memory.
      for (const Id neighbour : neighbours) __builtin_prefetch(&peel_.degrees_[neighbour], 1);
      for (const Id neighbour : neighbours) {
        const std::atomic_ref degree(peel_.degrees_[static_cast<std::size_t>(neighbour)]);
        std::uint32_t left = degree.load(std::memory_order_relaxed);
        while (left > peel_.level_ &&
               !degree.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) {
        }
        if (left != peel_.level_ + 1) continue;
        found_[count_++] = neighbour;
        if (count_ == batch) flush();
      }
    }
    void flush() {
      const std::size_t at = std::atomic_ref(peel_.queue_end_).fetch_add(count_, std::memory_order_relaxed);
      std::copy_n(found_, count_, peel_.queue_.data() + at);
      count_ = 0;
    }

   private:
    Peel& peel_;
    Id* const found_;
    std::size_t count_ = 0;
  };

  /// `set`: a part of queue_, to whose end the next set is appended.
  void remove(std::span<Id> set) {
    ++rounds_;
    core::vector_sort(set);
    std::vector<Remover> removers;
    for (unsigned thread = 0; thread < team_.size(); ++thread) removers.emplace_back(*this, thread);
    if (access_.choose(set) != adjacency::ListAccess<Id>::Way::scan) {
      access_.select_pages(team_, set,
                           [&](unsigned thread, adjacency::PageCursor<Id>& cursor, std::span<const Id> here) {
                             Pages::visit_lists(cursor, here, removers[thread]);
                           });
    } else {
      const auto here = [&](std::uint64_t page) {
        const auto range = pages_.nodes_of(page);
        const auto begin = std::lower_bound(set.begin(), set.end(), range.first);
        return std::span<const Id>(begin, std::lower_bound(begin, set.end(), range.end));
      };
      access_.scan(
          [&](unsigned thread, adjacency::PageCursor<Id>& cursor) {
            Pages::visit_lists(cursor, here(cursor.number()), removers[thread]);
          },
          [&](std::uint64_t page) { return !here(page).empty(); });
    }
    for (Remover& remover : removers) remover.flush();
  }

  core::Environment& environment_;
  Pages& pages_;
  const std::size_t nodes_;
  core::Array<std::uint32_t> degrees_;
  core::Array<Id> left_;   ///< nodes that are not removed; some are, since the level began
  core::Array<Id> queue_;  ///< the sets of a level, one after the other
  core::Array<Id> found_;  ///< `batch` for each thread
  core::ThreadTeam team_;
  adjacency::ListAccess<Id> access_;
  std::size_t left_count_ = 0;
  std::size_t queue_end_ = 0;
  std::uint32_t level_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace emgraph::graph::kcore
