// SPDX-License-Identifier: MIT
// The roots of a run: which candidates have an edge that is no loop.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph500/edge_list.hpp"

namespace emgraph::graph::graph500 {

/// The edge list in memory, to be filled.
struct StoredEdges {
  core::Array<Edge32> edges;
  core::Array<float> weights;

  static std::uint64_t bytes(std::uint64_t count, bool weights) {
    return core::size_sum(core::size_product(count, sizeof(Edge32) + (weights ? sizeof(float) : 0)),
                          2 * core::page_bytes);
  }
  StoredEdges(core::MemoryBudget& memory, std::uint64_t count, bool with_weights)
      : edges(memory, count, "edge list"), weights(memory, with_weights ? count : 0, "edge list") {}
};

/// The first `wanted` candidates, in their order, without repeats and without nodes whose edges are all
/// loops; fewer if as many candidates as nodes have been drawn. Fills `stored` on the way unless it is null.
/// I/O: none; generates the list once, more often only if a bit per node does not fit in a quarter of the
/// free memory and few candidates have edges. Memory: a bit per node, else 2 MiB. Throws: MemoryLimitError;
/// UsageError if there is no root.
std::vector<std::uint32_t> draw_roots(core::Environment& environment, const EdgeList& list,
                                      std::uint64_t seed, std::uint64_t wanted,
                                      const StoredEdges* stored = nullptr);

}  // namespace emgraph::graph::graph500
