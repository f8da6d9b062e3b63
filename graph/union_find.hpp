// SPDX-License-Identifier: MIT
// Disjoint sets of nodes in memory, united by many threads at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/prefetch.hpp"
#include "core/memory/growing_array.hpp"

namespace emgraph::graph {

/// Nodes 0 … size - 1, initially each in a set of its own. The root of a set is its smallest node.
///
/// Method: unite() links the larger root to the smaller one by compare-and-swap. find() halves the path that
/// it follows. The array stores the step v - parent(v), 0 at a root. So zeroed memory is a forest of single
/// nodes: it needs no initialisation and can grow while it is in use. Invariants: a node with a parent never
/// becomes a root again, and its ancestors remain its ancestors. So path halving in find() needs a plain
/// store only, and a stale read costs one more step. Source: Anderson and Woll 1991,
/// doi 10.1145/103418.103458 (wait-free union-find), with linking by index as in Jayanti and Tarjan 2016,
/// doi 10.1145/2933057.2933108.
///
/// Memory: sizeof(Id) per node. Threads: any number at once, except `flatten` and `steps`.
/// Throws: the constructor MemoryLimitError.
template <class Id>
class UnionFind {
 public:
  UnionFind(core::MemoryBudget& budget, std::uint64_t size, std::string_view what)
      : UnionFind(budget, size, size, what) {}
  /// `most`: greatest size for `reach`.
  UnionFind(core::MemoryBudget& budget, std::uint64_t size, std::uint64_t most, std::string_view what)
      : steps_(budget, most, what) {
    steps_.reach(size);
  }

  static std::size_t bytes_for(std::uint64_t size) { return static_cast<std::size_t>(size) * sizeof(Id); }

  std::uint64_t size() const { return steps_.size(); }
  /// Extends the nodes to 0 … size - 1. Throws MemoryLimitError; nothing is changed then.
  void reach(std::uint64_t size) { steps_.reach(size); }

  /// True if v is the smallest node of its set so far.
  bool is_root(Id v) const { return step(v) == 0; }
  Id parent(Id v) const { return static_cast<Id>(v - step(v)); }

  Id find(Id v) {
    return find(v, [this](Id node, Id /*before*/, Id step) { set_step(node, step); });
  }

  /// Unites the sets of a and b. False if both were in the same set.
  bool unite(Id a, Id b) {
    while (true) {
      a = find(a);
      b = find(b);
      if (a == b) return false;
      if (a < b) std::swap(a, b);
      Id root = 0;
      if (std::atomic_ref<Id>(steps_[a]).compare_exchange_strong(root, static_cast<Id>(a - b),
                                                                 std::memory_order_relaxed)) {
        return true;
      }
    }
  }

  void prefetch(Id v) const { core::prefetch(steps_.data() + v); }

  /// Links nodes begin … end - 1 directly to their roots. Threads: any number, with disjoint ranges, while no
  /// thread calls unite(). A path leads through the ranges of other threads. A plain store of what was a
  /// node's grandparent could come after its own thread has linked it to its root, so paths are halved by
  /// compare-and-swap.
  void flatten(std::uint64_t begin, std::uint64_t end) {
    const auto halve = [this](Id node, Id before, Id step) {
      std::atomic_ref<Id>(steps_[node]).compare_exchange_strong(before, step, std::memory_order_relaxed);
    };
    for (std::uint64_t i = begin; i < end; ++i) {
      const Id v = static_cast<Id>(i);
      if (step(v) != 0) set_step(v, static_cast<Id>(v - find(v, halve)));
    }
  }
  /// v - root(v) for every v, after all nodes were flattened. The caller may overwrite them; afterwards the
  /// sets are invalid.
  std::span<Id> steps() const { return {steps_.data(), static_cast<std::size_t>(steps_.size())}; }

 private:
  /// `halve(node, before, step)` links `node`, whose step was `before`, to its grandparent.
  template <class Halve>
  Id find(Id v, Halve&& halve) {
    while (true) {
      const Id up = step(v);
      if (up == 0) return v;
      const Id above = static_cast<Id>(v - up);
      const Id up_again = step(above);
      if (up_again == 0) return above;
      halve(v, up, static_cast<Id>(up + up_again));
      v = static_cast<Id>(above - up_again);
    }
  }
  Id step(Id v) const { return std::atomic_ref<Id>(steps_[v]).load(std::memory_order_relaxed); }
  void set_step(Id v, Id to) { std::atomic_ref<Id>(steps_[v]).store(to, std::memory_order_relaxed); }

  core::GrowingArray<Id> steps_;
};

}  // namespace emgraph::graph
