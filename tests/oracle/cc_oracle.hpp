// SPDX-License-Identifier: MIT
// Connected components by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// The smallest node that can be reached from each node, by walking from every node in ascending order.
std::vector<std::uint64_t> smallest_reachable(std::uint64_t nodes, const std::vector<graph::Edge64>& edges);

struct ComponentSizes {
  std::uint64_t components = 0;
  std::uint64_t isolated = 0;
  std::uint64_t largest = 0;
};

/// Counts the nodes of each label in a map.
ComponentSizes component_sizes(const std::vector<std::uint64_t>& labels);

}  // namespace emgraph::tests
