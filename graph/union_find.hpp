// SPDX-License-Identifier: MIT
// Disjoint sets of nodes in memory, united by many threads at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/memory/buffer.hpp"

namespace emgraph::graph {

/// Nodes 0 … size - 1, each a set of its own at first; the root of a set is its smallest node.
///
/// Method: parents[v] <= v always; a larger root is hung below a smaller one by compare-and-swap, and finding
/// halves the path it walks. Parents only ever decrease, so that a stale read costs a step and nothing else.
/// Source: Anderson and Woll 1991, doi 10.1145/103418.103458 (wait-free union-find), with linking by index as
/// in Jayanti and Tarjan 2016, doi 10.1145/2933057.2933108.
///
/// Memory: sizeof(Id) per node. Threads: `unite`, `find`, `prefetch` from any number at once. Throws: the
/// constructor MemoryLimitError.
template <class Id>
class UnionFind {
 public:
  UnionFind() = default;
  UnionFind(core::MemoryBudget& budget, std::uint64_t size, std::string_view what)
      : parents_(budget, static_cast<std::size_t>(size), what) {
    for (std::size_t v = 0; v < parents_.size(); ++v) parents_[v] = static_cast<Id>(v);
  }

  static std::size_t bytes_for(std::uint64_t size) { return static_cast<std::size_t>(size) * sizeof(Id); }

  std::uint64_t size() const { return parents_.size(); }

  /// Is v the smallest of its set, as far as sets have been united?
  bool is_root(Id v) const { return load(v) == v; }

  Id find(Id v) {
    Id parent = load(v);
    while (parent != v) {
      const Id grandparent = load(parent);
      if (grandparent != parent) {
        std::atomic_ref<Id>(parents_[v])
            .compare_exchange_weak(parent, grandparent, std::memory_order_relaxed);
      }
      v = grandparent;
      parent = load(v);
    }
    return v;
  }

  /// False if both were in one set already.
  bool unite(Id a, Id b) {
    while (true) {
      a = find(a);
      b = find(b);
      if (a == b) return false;
      if (a < b) std::swap(a, b);
      Id expected = a;
      if (std::atomic_ref<Id>(parents_[a]).compare_exchange_strong(expected, b, std::memory_order_relaxed)) {
        return true;
      }
    }
  }

  void prefetch(Id v) const { __builtin_prefetch(parents_.data() + v); }

 private:
  Id load(Id v) const { return std::atomic_ref<Id>(parents_[v]).load(std::memory_order_relaxed); }

  core::Array<Id> parents_;
};

}  // namespace emgraph::graph
