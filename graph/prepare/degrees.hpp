// SPDX-License-Identifier: MIT
// Degrees of all nodes in memory, to orient edges from the end of smaller degree.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "core/memory/growing_array.hpp"

namespace emgraph::graph::prepare {

/// The degree of a node is the number of stored edges with the node at either end; loops count once. Degrees
/// of at least `most` count as equal. Memory: 4 bytes per node. Threads: any number may call `reach` and
/// `count` at once.
class Degrees {
 public:
  Degrees(core::MemoryBudget& budget, const std::optional<std::uint64_t>& nodes)
      : degrees_(budget, nodes.value_or(~std::uint64_t{0}), "4 bytes per node for degrees") {
    reach(nodes.value_or(0));
  }

  /// Makes nodes 0 … nodes - 1 known. Throws MemoryLimitError.
  void reach(std::uint64_t nodes) { degrees_.reach(nodes); }
  /// Requires: both nodes are known.
  void count(std::uint64_t source, std::uint64_t target) {
    increment(source);
    if (source != target) increment(target);
  }
  /// True if (degree, id) of a is less than that of b.
  bool before(std::uint64_t a, std::uint64_t b) const {
    const std::uint32_t left = std::min(degrees_[a], most);
    const std::uint32_t right = std::min(degrees_[b], most);
    return left != right ? left < right : a < b;
  }

 private:
  // Threads test before they count, so several may pass `most`; the distance to 2^32 prevents an overflow.
  static constexpr std::uint32_t most = 0xffff0000;

  void increment(std::uint64_t node) {
    std::atomic_ref<std::uint32_t> degree(degrees_[node]);
    if (degree.load(std::memory_order_relaxed) < most) degree.fetch_add(1, std::memory_order_relaxed);
  }
  core::GrowingArray<std::uint32_t> degrees_;
};

}  // namespace emgraph::graph::prepare
