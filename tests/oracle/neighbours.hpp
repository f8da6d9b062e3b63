// SPDX-License-Identifier: MIT
// The lists of neighbours that the oracles share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// The neighbours of each node (directed: the targets of its arcs), ascending, without loops and duplicates.
class Neighbours {
 public:
  /// Requires: no id is so large that a word for each smaller one does not fit in memory.
  Neighbours(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, bool directed = false);

  /// `nodes`, or more if ids are not below it.
  std::uint64_t nodes() const { return starts_.size() - 1; }
  std::span<const std::uint64_t> of(std::uint64_t node) const {
    return {targets_.data() + starts_[node], targets_.data() + starts_[node + 1]};
  }
  bool joined(std::uint64_t node, std::uint64_t other) const;

 private:
  std::vector<std::uint64_t> starts_;  ///< of each list in targets_, and the end
  std::vector<std::uint64_t> targets_;
};

}  // namespace emgraph::tests
