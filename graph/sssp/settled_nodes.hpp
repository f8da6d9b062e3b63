// SPDX-License-Identifier: MIT
// The nodes whose distances are final, for the external search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/node_bits.hpp"
#include "graph/visited_pages.hpp"

namespace emgraph::graph::sssp {

/// One bit per node, in memory where it fits, else on the disks.
class SettledNodes {
 public:
  SettledNodes(core::Environment& environment, std::uint64_t nodes, bool in_memory, std::size_t most_bytes) {
    if (in_memory) {
      bits_.emplace(environment.memory, nodes, "one bit per settled node");
    } else {
      pages_.emplace(environment, nodes, most_bytes);
    }
  }
  bool in_memory() const { return bits_.has_value(); }
  /// True if the node is settled for sure: bits on the disks are not read.
  bool known(std::uint64_t node) const { return bits_ && bits_->test(node); }
  bool test(std::uint64_t node) { return bits_ ? bits_->test(node) : pages_->test(node); }
  /// Settles the node; false if it is settled.
  bool settle(std::uint64_t node) {
    if (pages_) return pages_->visit(node);
    if (bits_->test(node)) return false;
    bits_->set(node);
    return true;
  }

 private:
  std::optional<NodeBits> bits_;
  std::optional<VisitedPages> pages_;
};

}  // namespace emgraph::graph::sssp
