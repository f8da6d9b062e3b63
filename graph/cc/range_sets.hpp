// SPDX-License-Identifier: MIT
// The sets among the nodes of one range, each with one neighbour outside of it: what a range is contracted
// to.
//
// Problem: an id per node fits in memory for one range of nodes only; edges lead from its nodes to each other
// and to smaller nodes. Which nodes of the range are joined, and what does the rest of the graph have to
// know? Method: union-find with one id per node, the parent: a smaller node. If it lies in the range it is a
// step to the root; if it lies before the range then the node is the root of its set and the parent is the
// set's neighbour outside. A set keeps its smallest outside neighbour; any other one is told by an edge
// between the two, which lies wholly before the range. The smallest, so that the sets of all ranges soon
// agree on it and edges between them need no telling. Invariants: parents are smaller than their children.
// What was said to be joined is joined by parents and edges told, once the threads are through: whoever takes
// an outside neighbour from a root by compare-and-swap carries it on until another root has it or an edge
// tells it. In the spirit of node reduction: Sibeyn; Dementiev, Sanders, Schultes, Sibeyn 2004, "Engineering
// an external memory minimum spanning tree algorithm", doi 10.1007/1-4020-8141-3_17; there node by node with
// a priority queue, here a range at a time.
//
// I/O: none. Memory: sizeof(Id) per node of a range. Threads: `join` from any number at once. Throws: the
// constructor MemoryLimitError.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::cc {

template <class Id>
class RangeSets {
 public:
  RangeSets(core::MemoryBudget& budget, std::uint64_t range_nodes)
      : parents_(budget, static_cast<std::size_t>(range_nodes), "an id per node of a range") {}

  /// Nodes begin … end - 1, each a set of its own.
  void start(std::uint64_t begin, std::uint64_t end) {
    begin_ = static_cast<Id>(begin);
    nodes_ = static_cast<std::size_t>(end - begin);
    for (std::size_t i = 0; i < nodes_; ++i) parents_[i] = static_cast<Id>(begin + i);
  }

  Id begin() const { return begin_; }
  bool inside(Id v) const { return v >= begin_; }
  void prefetch(Id v) const { __builtin_prefetch(parents_.data() + (v - begin_)); }
  /// Parents of the nodes of the range.
  std::span<Id> parents() const { return parents_.span().first(nodes_); }

  /// Cheap look at an edge, low < high, high in the range: is it known already?
  bool known(Id high, Id low) const {
    const Id parent = load(high);
    return parent == low || (inside(low) && parent == load(low));
  }

  /// Takes in an edge, low < high, high in the range. Calls tell(high, low) for an edge between two smaller
  /// nodes.
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
  /// Its parent is itself or lies outside.
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
      // Who is no root never becomes one again: a plain store, as in graph/union_find.hpp.
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
