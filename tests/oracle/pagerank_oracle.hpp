// SPDX-License-Identifier: MIT
// PageRank by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// The ranks after so many rounds, in long doubles. `undirected`: an edge leads both ways, a loop once.
/// `sources`: none, or those of personalised PageRank. `weights`: none, or one of each edge.
std::vector<double> ranks_after(std::uint64_t rounds, std::uint64_t nodes,
                                const std::vector<graph::Edge64>& edges, bool undirected, double damping,
                                const std::vector<std::uint64_t>& sources = {},
                                const std::vector<double>& weights = {});

}  // namespace emgraph::tests
