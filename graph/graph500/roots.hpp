// SPDX-License-Identifier: MIT
// The roots of a run: which candidates have an edge that is no loop.
#pragma once

#include <cstdint>
#include <vector>

#include "core/environment.hpp"
#include "graph/graph500/edge_list.hpp"

namespace emgraph::graph::graph500 {

/// The first `wanted` candidates, in their order, without repeats and without nodes whose edges are all
/// loops; fewer if as many candidates as nodes have been drawn.
/// I/O: none; generates the list once, more often only if a bit per node does not fit in a quarter of the
/// free memory and few candidates have edges. Memory: a bit per node, else 2 MiB. Throws: MemoryLimitError;
/// UsageError if there is no root.
std::vector<std::uint32_t> draw_roots(core::Environment& environment, const EdgeList& list,
                                      std::uint64_t seed, std::uint64_t wanted);

}  // namespace emgraph::graph::graph500
