// SPDX-License-Identifier: MIT
// Breadth-first search by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// Levels and parents in 64 bits; all ones for unreached nodes.
struct BfsAnswer {
  std::vector<std::uint64_t> levels;
  std::vector<std::uint64_t> parents;
  std::uint64_t reached = 0;
  std::vector<std::uint64_t> nodes_per_level;
};

/// Search with a plain queue. The parent is the smallest neighbour on the level above; the root is its own
/// parent.
BfsAnswer breadth_first(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, std::uint64_t root,
                        bool directed);

/// The smallest node with the largest degree (directed: out-degree), loops and duplicates not counted.
std::uint64_t default_root(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, bool directed);

}  // namespace emgraph::tests
