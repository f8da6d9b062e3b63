// SPDX-License-Identifier: MIT
// The division of nodes into ranges, and of the memory, in the external model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emgraph::graph::cc {

/// The input of ContractionPlan::make().
struct ContractionDemand {
  std::uint64_t nodes = 0;
  std::optional<std::uint64_t> edges = std::nullopt;
  std::size_t id_bytes = 4;
  std::size_t memory_bytes = 0;  ///< all that may be taken
  std::size_t limit_bytes = 0;   ///< the memory limit, for messages
  unsigned threads = 1;
  std::optional<std::uint64_t> range_nodes = std::nullopt;  ///< upper bound of the nodes of a range
};

/// Ranges of `range_nodes` consecutive nodes, the last one shorter; each a whole number of cells.
struct ContractionPlan {
  static constexpr unsigned most_cell_bits = 13;  ///< 2^13 cells of 2 bytes: half of a first-level cache
  /// A word holds the number of a cell and an id.
  static constexpr std::uint64_t most_nodes = std::uint64_t{1} << 38;

  std::uint64_t nodes = 0;
  std::uint64_t range_nodes = 1;
  std::size_t ranges = 1;
  unsigned id_bits = 1;     ///< bits of the largest id
  unsigned cell_shift = 0;  ///< log2 of the nodes of a cell
  std::size_t pair_bytes = 8;
  unsigned threads = 1;
  std::size_t block_bytes = 0;      ///< bytes of a block of pairs
  std::size_t pool_bytes = 0;       ///< memory for blocks of pairs
  std::size_t run_block_bytes = 0;  ///< bytes of a block of parents

  std::uint64_t begin(std::size_t range) const { return range * range_nodes; }
  std::uint64_t end(std::size_t range) const {
    return range + 1 == ranges ? nodes : (range + 1) * range_nodes;
  }

  /// Throws MemoryLimitError with a sufficient amount; DataError for more than `most_nodes` nodes.
  static ContractionPlan make(const ContractionDemand& demand);
  /// This plan, which an earlier run made, with the threads and memory of `demand`. Throws MemoryLimitError
  /// with a sufficient amount.
  ContractionPlan resumed(const ContractionDemand& demand) const;
};

}  // namespace emgraph::graph::cc
