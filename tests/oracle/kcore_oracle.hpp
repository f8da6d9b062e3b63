// SPDX-License-Identifier: MIT
// Core numbers by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// For k = 1, 2 …: removes nodes with fewer than k neighbours until none is left to remove; a node that stays
/// has the core number k at least.
std::vector<std::uint64_t> core_numbers(std::uint64_t nodes, const std::vector<graph::Edge64>& edges);

}  // namespace emgraph::tests
