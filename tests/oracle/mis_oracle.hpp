// SPDX-License-Identifier: MIT
// Independent sets by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// The lexicographically first maximal independent set of the undirected graph, ascending: node v is in it
/// iff no smaller neighbour of v is.
std::vector<std::uint64_t> first_independent_set(std::uint64_t nodes,
                                                 const std::vector<graph::Edge64>& edges);

/// The listing of the STXXL paper on the edges as stored, with the standard library's priority queue.
std::vector<std::uint64_t> paper_listing(std::vector<graph::Edge64> edges);

}  // namespace emgraph::tests
