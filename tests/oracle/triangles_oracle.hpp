// SPDX-License-Identifier: MIT
// Triangles by the definition, slow on purpose: do not benchmark.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

struct TriangleAnswers {
  std::vector<std::array<std::uint64_t, 3>> list;  ///< a < b < c, ascending
  std::vector<std::uint64_t> per_node;
  std::uint64_t wedges = 0;
  std::uint64_t simple_edges = 0;
};

/// The triangles of the undirected graph without loops and duplicates.
TriangleAnswers all_triangles(std::uint64_t nodes, const std::vector<graph::Edge64>& edges);

}  // namespace emgraph::tests
