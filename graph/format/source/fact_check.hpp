// SPDX-License-Identifier: MIT
// Checks declared facts (order, unique, no loops, orientation) against the edges, block by block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// The facts found in one block of edges.
struct BlockSummary {
  std::uint64_t max_id = 0;
  std::uint64_t loops = 0;
  std::uint64_t first_source = 0;
  std::uint64_t first_target = 0;
  std::uint64_t last_source = 0;
  std::uint64_t last_target = 0;
};

/// Reads `count` > 0 rows of `facts.layout` once. Throws std::logic_error with the number of the edge (from
/// `first_edge` on) if a declared fact does not hold. check_boundary() checks the order between blocks.
BlockSummary summarize_block(const EdgeFacts& facts, const std::byte* rows, std::size_t count,
                             std::uint64_t first_edge);

/// Throws std::logic_error unless the first row of a block may follow the last row of the previous block.
void check_boundary(const EdgeFacts& facts, const std::byte* last_row_before, const std::byte* first_row,
                    std::uint64_t first_edge);

}  // namespace emgraph::graph::format
