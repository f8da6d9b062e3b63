// SPDX-License-Identifier: MIT
// The sets of the nodes of one range, each with at most one neighbour outside: the result of contracting the
// range.
//
// Problem: an id per node fits in memory for one range of nodes only; edges lead from its nodes to each other
// and to smaller nodes. Which nodes of the range are connected, and which edges does the rest of the graph
// need? Method: union-find with one id per node, the parent, which is a smaller node. A parent in the range
// is a step towards the root. A node whose parent lies before the range is the root of its set, and the
// parent is the outside neighbour of the set. A set keeps its smallest outside neighbour. For any other one
// an edge between the two is passed on; it lies before the range. Keeping the smallest makes the sets of all
// ranges soon agree on one neighbour, so that few edges are passed on.
// Invariants: parents are smaller than their children. When all threads have finished, the ends of every
// joined edge are connected by parents and passed-on edges: a thread that takes an outside neighbour from a
// root by compare-and-swap gives it to another root or passes an edge on.
// Source: node reduction, after Sibeyn; Dementiev, Sanders, Schultes, Sibeyn 2004, "Engineering an external
// memory minimum spanning tree algorithm", doi 10.1007/1-4020-8141-3_17, which reduces node by node with a
// priority queue; here a range at a time.
//
// I/O: none. Memory: sizeof(Id) per node of a range. Threads: any number may call `join` at once. Throws: the
// constructor MemoryLimitError.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/prefetch.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::cc {

template <class Id>
class RangeSets {
 public:
  RangeSets(core::MemoryBudget& budget, std::uint64_t range_nodes)
      : parents_(budget, static_cast<std::size_t>(range_nodes), "an id per node of a range") {}

  /// Starts with nodes begin … end - 1, each in a set of its own.
  void start(std::uint64_t begin, std::uint64_t end) {
    begin_ = static_cast<Id>(begin);
    nodes_ = static_cast<std::size_t>(end - begin);
    for (std::size_t i = 0; i < nodes_; ++i) parents_[i] = static_cast<Id>(begin + i);
  }

  Id begin() const { return begin_; }
  bool inside(Id v) const { return v >= begin_; }
  void prefetch(Id v) const { core::prefetch(parents_.data() + (v - begin_)); }
  /// Parents of the nodes of the range.
  std::span<Id> parents() const { return parents_.span().first(nodes_); }

  /// True if the parents show at once that an edge, low < high, high in the range, changes nothing.
  bool known(Id high, Id low) const {
    const Id parent = load(high);
    return parent == low || (inside(low) && parent == load(low));
  }

  /// Joins the ends of an edge, low < high, high in the range. Calls tell(high, low) to pass on an edge
  /// between two smaller nodes.
  template <class Tell>
  void join(Id high, Id low, Tell&& tell) {
    if (!inside(low)) return attach(high, low, tell);
    while (true) {
      Root a = find(high);
      Root b = find(low);
      if (a.node == b.node) return;
      if (a.node < b.node) std::swap(a, b);
      Id parent = a.parent;
      if (!exchange(a.node, parent, b.node)) continue;
      if (!inside(a.parent)) attach(b.node, a.parent, tell);
      return;
    }
  }

 private:
  /// A node whose parent is itself or lies before the range.
  struct Root {
    Id node;
    Id parent;
  };

  Root find(Id v) {
    while (true) {
      const Id parent = load(v);
      if (parent == v || !inside(parent)) return {v, parent};
      const Id above = load(parent);
      if (above == parent || !inside(above)) return {parent, above};
      // A node that is no root never becomes one again, so a plain store does, as in graph/union_find.hpp.
      slot(v).store(above, std::memory_order_relaxed);
      v = above;
    }
  }

  template <class Tell>
  void attach(Id v, Id outside, Tell&& tell) {
    while (true) {
      const Root root = find(v);
      if (root.parent == outside) return;
      if (root.parent < outside) return tell(outside, root.parent);
      Id parent = root.parent;
      if (!exchange(root.node, parent, outside)) continue;
      if (!inside(root.parent)) tell(root.parent, outside);
      return;
    }
  }

  std::atomic_ref<Id> slot(Id v) const { return std::atomic_ref<Id>(parents_[v - begin_]); }
  Id load(Id v) const { return slot(v).load(std::memory_order_relaxed); }
  bool exchange(Id v, Id& expected, Id to) {
    return slot(v).compare_exchange_strong(expected, to, std::memory_order_relaxed);
  }

  core::Array<Id> parents_;
  Id begin_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace emgraph::graph::cc
