// SPDX-License-Identifier: MIT
// Strongly connected components by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// For each node the smallest node that it reaches and that reaches it: one search from every node.
std::vector<std::uint64_t> strong_components(std::uint64_t nodes, const std::vector<graph::Edge64>& edges);

}  // namespace emgraph::tests
