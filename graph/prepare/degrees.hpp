// SPDX-License-Identifier: MIT
// Degrees of all nodes in memory, to orient edges from the end of smaller degree.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::prepare {

/// Degree = edges as stored, at either end; loops count once. Degrees from `most` on count as equal. Memory:
/// 4 bytes per node. Threads: `count` from any number at once.
class Degrees {
 public:
  Degrees(core::MemoryBudget& budget, std::uint64_t nodes)
      : degrees_(budget, static_cast<std::size_t>(nodes), "4 bytes per node for degrees") {}

  void count(std::uint64_t source, std::uint64_t target) {
    increment(source);
    if (source != target) increment(target);
  }
  /// Is (degree, id) of a less than that of b?
  bool before(std::uint64_t a, std::uint64_t b) const {
    const std::uint32_t left = std::min(degrees_[a], most);
    const std::uint32_t right = std::min(degrees_[b], most);
    return left != right ? left < right : a < b;
  }

 private:
  // Far enough from 2^32 that threads which all look before they count cannot wrap around.
  static constexpr std::uint32_t most = 0xffff0000;

  void increment(std::uint64_t node) {
    std::atomic_ref<std::uint32_t> degree(degrees_[node]);
    if (degree.load(std::memory_order_relaxed) < most) degree.fetch_add(1, std::memory_order_relaxed);
  }
  core::Array<std::uint32_t> degrees_;
};

}  // namespace emgraph::graph::prepare
