// SPDX-License-Identifier: MIT
// Divides the nodes into ranges whose shares fit in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emgraph::graph::pagerank {

struct RangePlan {
  unsigned range_bits = 0;      ///< 2^range_bits nodes in a range, at most 2^32
  unsigned most_blocks = 13;    ///< in memory at a time; 16 with weights
  std::size_t block_bytes = 0;  ///< of all sequences on the disks

  /// `nodes`: n, if known. `most_nodes`: of a range; default: as memory holds. `one_range`: for all nodes,
  /// whose shares must fit.
  static RangePlan make(std::size_t free_bytes, const std::optional<std::uint64_t>& nodes,
                        const std::optional<std::uint64_t>& most_nodes, bool weighted, bool one_range);
  /// The most nodes of a graph that has one range.
  static std::uint64_t most_in_one_range(std::size_t free_bytes);
  std::size_t blocks_bytes() const { return most_blocks * block_bytes; }
  std::uint64_t ranges(std::uint64_t nodes) const { return nodes == 0 ? 0 : ((nodes - 1) >> range_bits) + 1; }
  /// For a range of all nodes, if there are fewer.
  std::size_t bytes_for(std::uint64_t nodes) const;
};

}  // namespace emgraph::graph::pagerank
