// SPDX-License-Identifier: MIT
// The graph as the checker of triangles keeps it, and its count of the triangles at every node.
//
// Problem: triangles at each node of a graph in memory. Method: nodes are ordered by descending degree, every
// edge leads to the earlier of its ends. For each u its neighbours are marked with their number in the list
// of u; then for every neighbour v all of v's neighbours w look up their mark and add one to the counter of
// that number, those without a mark to counter 0. The counters of u are added to the counts of nodes once per
// neighbour, not once per triangle, and the inner loop has no branch. Two sets of counters alternate, so that
// an addition seldom waits for the one before. No code is shared with the solver, which intersects sorted
// lists and rows of bits.
// Source: Schank and Wagner 2005, doi 10.1007/11427186_54 (forward); Chiba and Nishizeki 1985, doi
// 10.1137/0214017 (marks).
//
// I/O: none. Memory: bytes_for. Threads: as many as there is memory for marks. Throws: MemoryLimitError.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/base/vector_sort.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::triangles {

/// The larger neighbours of every node, ascending. Memory: 8 bytes per node, an id per edge.
template <class Id>
class LargerNeighbours {
 public:
  LargerNeighbours(core::MemoryBudget& budget, std::uint64_t nodes, std::uint64_t edges)
      : begins_(budget, core::size_sum(nodes, 1), "8 bytes per node"),
        targets_(budget, static_cast<std::size_t>(edges), "an id per edge") {}
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t edges) {
    return core::size_sum(core::size_product(core::size_sum(nodes, 1), sizeof(std::uint64_t)),
                          core::size_product(edges, sizeof(Id)), 2 * core::page_bytes);
  }

  /// Adds the next edge. Requires: edges ascend.
  void add(std::uint64_t low, std::uint64_t high) {
    for (; opened_ <= low; ++opened_) begins_[static_cast<std::size_t>(opened_)] = filled_;
    targets_[filled_++] = static_cast<Id>(high);
  }
  void finish() {
    for (; opened_ < begins_.size(); ++opened_) begins_[static_cast<std::size_t>(opened_)] = filled_;
  }

  std::uint64_t nodes() const { return begins_.size() - 1; }
  std::uint64_t edges() const { return targets_.size(); }
  std::span<const Id> of(std::uint64_t node) const {
    const auto at = static_cast<std::size_t>(node);
    return {targets_.data() + begins_[at], static_cast<std::size_t>(begins_[at + 1] - begins_[at])};
  }

 private:
  core::Array<std::uint64_t> begins_;
  core::Array<Id> targets_;
  std::uint64_t opened_ = 0;
  std::size_t filled_ = 0;
};

/// Searches for ascending ids in an ascending list.
template <class Id>
class ListSearch {
 public:
  ListSearch() = default;
  explicit ListSearch(std::span<const Id> list) : left_(list) {}

  /// True if `id` is in the list. Drops smaller ids; doubling steps find near ids at once.
  bool find(std::uint64_t id) {
    std::size_t reach = 1;
    while (reach < left_.size() && left_[reach] < id) reach *= 2;
    const std::span<const Id> near = left_.first(std::min(reach + 1, left_.size()));
    const auto at = std::lower_bound(near.begin(), near.end(), id);
    left_ = left_.subspan(static_cast<std::size_t>(at - near.begin()));
    return !left_.empty() && left_.front() == id;
  }

 private:
  std::span<const Id> left_;
};

template <class Id>
class MarkedCount {
 public:
  MarkedCount(core::Environment& environment, const LargerNeighbours<Id>& larger)
      : environment_(environment),
        larger_(larger),
        nodes_(static_cast<std::size_t>(larger.nodes())),
        places_(environment.memory, nodes_, "an id per node for its place by degree"),
        counts_(environment.memory, nodes_, "8 bytes per node for counts") {
    order();
    orient();
    count();
  }

  /// Memory with one thread.
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t edges) {
    const std::uint64_t ordering = nodes * sizeof(Order);
    const std::uint64_t counting =
        nodes * sizeof(std::uint64_t) + edges * sizeof(Id) + thread_bytes(nodes, edges);
    return nodes * (sizeof(Id) + sizeof(std::uint64_t)) + std::max(ordering, counting) +
           pages * core::page_bytes;
  }

  /// Of the marks of a thread.
  static std::uint64_t thread_bytes(std::uint64_t nodes, std::uint64_t edges) {
    // No list is longer than this: its node and all nodes on it have at least as many edges as the list.
    const auto longest = static_cast<std::uint64_t>(std::sqrt(2.0 * static_cast<double>(edges))) + 1;
    return sizeof(Mark) * (nodes + 2 * (longest + 1));
  }

  std::uint64_t triangles() const { return triangles_; }
  /// Number of triangles at a node.
  std::uint64_t operator[](std::uint64_t node) const {
    return counts_[static_cast<std::size_t>(places_[static_cast<std::size_t>(node)])];
  }

 private:
  using Order =
      std::conditional_t<sizeof(Id) == 4, std::uint64_t, core::uint128>;  ///< (degree, node) in one integer
  using Mark = Id;
  static constexpr std::uint64_t pages = 8;
  static constexpr std::size_t nodes_at_a_time = 64;

  /// Calls `work(node)` for all nodes on all threads.
  template <class Work>
  void for_all_nodes(Work&& work) const {
    constexpr std::size_t chunk = 4096;
    std::atomic<std::size_t> next{0};
    core::run_on_threads(environment_.threads, [&](unsigned) {
      for (std::size_t begin = 0; (begin = next.fetch_add(chunk)) < nodes_;) {
        for (std::size_t node = begin; node < std::min(begin + chunk, nodes_); ++node) work(node);
      }
    });
  }
  template <class T>
  static T add(T& to, T amount) {
    return std::atomic_ref<T>(to).fetch_add(amount, std::memory_order_relaxed);
  }

  /// Place 0 is the node of largest degree.
  void order() {
    constexpr unsigned id_bits = 8 * sizeof(Id);
    const core::Array<Order> order(environment_.memory, nodes_, "degrees in order");
    // The degrees are counted in the array of places.
    for_all_nodes([&](std::size_t node) {
      const std::span<const Id> list = larger_.of(node);
      add(places_[node], static_cast<Id>(list.size()));
      for (const Id high : list) add(places_[static_cast<std::size_t>(high)], Id{1});
    });
    for_all_nodes([&](std::size_t node) {
      order[node] = static_cast<Order>(static_cast<Order>(places_[node]) << id_bits | node);
    });
    core::vector_sort(order.span());
    for_all_nodes([&](std::size_t i) {
      places_[static_cast<std::size_t>(static_cast<Id>(order[i]))] = static_cast<Id>(nodes_ - 1 - i);
    });
  }

  /// Makes the lists of earlier neighbours, in any order.
  void orient() {
    ends_ = core::Array<std::uint64_t>(environment_.memory, nodes_, "8 bytes per node");
    targets_ =
        core::Array<Id>(environment_.memory, static_cast<std::size_t>(larger_.edges()), "an id per edge");
    const auto for_all_edges = [&](auto&& visit) {
      for_all_nodes([&](std::size_t node) {
        const Id place = places_[node];
        for (const Id high : larger_.of(node)) {
          const Id other = places_[static_cast<std::size_t>(high)];
          visit(static_cast<std::size_t>(std::max(place, other)), std::min(place, other));
        }
      });
    };
    for_all_edges([&](std::size_t from, Id) { add(ends_[from], std::uint64_t{1}); });
    std::uint64_t begin = 0;
    for (std::uint64_t& end : ends_.span()) {
      longest_ = std::max(longest_, static_cast<std::size_t>(end));
      const std::uint64_t length = end;
      end = begin;
      begin += length;
    }
    for_all_edges([&](std::size_t from, Id to) {
      targets_[static_cast<std::size_t>(add(ends_[from], std::uint64_t{1}))] = to;
    });
  }

  std::span<const Id> list(std::size_t place) const {
    const std::uint64_t begin = place == 0 ? 0 : ends_[place - 1];
    return {targets_.data() + begin, static_cast<std::size_t>(ends_[place] - begin)};
  }

  /// A thread's marks, which are all 0 between nodes, and its counters.
  struct Marks {
    core::Array<Mark> of_node;
    core::Array<Mark> counters;
  };

  void count() {
    const std::size_t marks_bytes =
        nodes_ * sizeof(Mark) + 2 * (longest_ + 1) * sizeof(Mark) + 2 * core::page_bytes;
    const auto threads = static_cast<unsigned>(
        std::clamp<std::size_t>(environment_.memory.available() / marks_bytes, 1, environment_.threads));
    std::vector<Marks> marks;
    for (unsigned thread = 0; thread < threads; ++thread) {
      marks.push_back({core::Array<Mark>(environment_.memory, nodes_, "a mark per node and thread"),
                       core::Array<Mark>(environment_.memory, 2 * (longest_ + 1), "counters of a thread")});
    }
    core::Phase phase(environment_.progress, "count", nodes_, "nodes");
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> all{0};
    core::run_on_threads(threads, [&](unsigned thread) {
      std::uint64_t mine = 0;
      for (std::size_t begin = 0; (begin = next.fetch_add(nodes_at_a_time)) < nodes_;) {
        const std::size_t end = std::min(begin + nodes_at_a_time, nodes_);
        for (std::size_t u = begin; u < end; ++u) mine += count_at(u, marks[thread]);
        phase.advance(end - begin);
      }
      all.fetch_add(mine);
    });
    triangles_ = all.load();
  }

  /// Counts the triangles whose last node is u.
  std::uint64_t count_at(std::size_t u, const Marks& marks) {
    const std::span<const Id> neighbours = list(u);
    if (neighbours.size() < 2) return 0;
    Mark* const mark = marks.of_node.data();
    Mark* const even = marks.counters.data();
    Mark* const odd = even + longest_ + 1;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      mark[static_cast<std::size_t>(neighbours[i])] = static_cast<Mark>(i + 1);
    }
    std::uint64_t found_at_u = 0;
    for (const Id v : neighbours) {
      const std::span<const Id> thirds = list(static_cast<std::size_t>(v));
      const Mark unmarked = even[0] + odd[0];
      std::size_t i = 0;
      for (; i + 1 < thirds.size(); i += 2) {
        ++even[static_cast<std::size_t>(mark[static_cast<std::size_t>(thirds[i])])];
        ++odd[static_cast<std::size_t>(mark[static_cast<std::size_t>(thirds[i + 1])])];
      }
      if (i < thirds.size()) ++even[static_cast<std::size_t>(mark[static_cast<std::size_t>(thirds[i])])];
      const std::uint64_t found = thirds.size() - static_cast<Mark>(even[0] + odd[0] - unmarked);
      if (found == 0) continue;
      add(counts_[static_cast<std::size_t>(v)], found);
      found_at_u += found;
    }
    if (found_at_u > 0) add(counts_[u], found_at_u);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const auto w = static_cast<std::size_t>(neighbours[i]);
      const std::uint64_t found = std::uint64_t{even[i + 1]} + odd[i + 1];
      if (found > 0) add(counts_[w], found);
      mark[w] = even[i + 1] = odd[i + 1] = 0;
    }
    return found_at_u;
  }

  core::Environment& environment_;
  const LargerNeighbours<Id>& larger_;
  const std::size_t nodes_;
  core::Array<Id> places_;             ///< by node
  core::Array<std::uint64_t> counts_;  ///< by place
  core::Array<std::uint64_t> ends_;    ///< ends of the lists, by place
  core::Array<Id> targets_;
  std::size_t longest_ = 0;
  std::uint64_t triangles_ = 0;
};

}  // namespace emgraph::graph::triangles
