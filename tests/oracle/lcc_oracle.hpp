// SPDX-License-Identifier: MIT
// Local clustering coefficients by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

std::vector<double> clustering_coefficients(std::uint64_t nodes, const std::vector<graph::Edge64>& edges,
                                            bool directed);

}  // namespace emgraph::tests
