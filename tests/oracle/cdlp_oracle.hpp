// SPDX-License-Identifier: MIT
// Label propagation by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// Labels after `iterations` rounds. Loops and duplicates do not count.
std::vector<std::uint64_t> propagated_labels(std::uint64_t nodes, const std::vector<graph::Edge64>& edges,
                                             bool directed, std::uint64_t iterations);

}  // namespace emgraph::tests
