// SPDX-License-Identifier: MIT
// A queue of own nodes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::graph500::distributed {

/// First in, first out; a node is in it at most once. Memory: 4 bytes and a bit per own node.
class NodeRing {
 public:
  NodeRing(core::MemoryBudget& memory, std::size_t nodes)
      : nodes_(memory, nodes, "a queue of nodes"), queued_(memory, nodes / 64 + 1, "queued nodes") {}

  bool empty() const { return size_ == 0; }
  void push(std::uint64_t node) {
    const std::uint64_t bit = std::uint64_t{1} << node % 64;
    if ((queued_[node / 64] & bit) != 0) return;
    queued_[node / 64] |= bit;
    std::size_t place = first_ + size_++;
    if (place >= nodes_.size()) place -= nodes_.size();
    nodes_[place] = static_cast<std::uint32_t>(node);
  }
  /// Requires: !empty().
  std::uint32_t pop() {
    const std::uint32_t node = nodes_[first_];
    if (++first_ == nodes_.size()) first_ = 0;
    --size_;
    queued_[node / 64] &= ~(std::uint64_t{1} << node % 64);
    return node;
  }

 private:
  core::Array<std::uint32_t> nodes_;
  core::Array<std::uint64_t> queued_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace emgraph::graph::graph500::distributed
