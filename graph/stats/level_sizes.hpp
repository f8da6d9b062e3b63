// SPDX-License-Identifier: MIT
// Nodes on each level of a breadth-first search, from the result that `bfs` writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/environment.hpp"

namespace emgraph::graph::stats {

/// Searches of long paths have as many levels as nodes: beyond 65,536 levels neighbouring ones are counted
/// together, a power of two of them each.
struct LevelSizes {
  std::uint64_t levels = 0;
  std::uint64_t reached = 0;
  std::uint64_t unreached = 0;
  std::uint64_t width = 1;           ///< levels counted together
  std::vector<std::uint64_t> sizes;  ///< of levels [i · width, (i + 1) · width)
};

/// `path`: a level per node of a graph of `nodes` nodes, all ones where not reached. I/O: the file once.
/// Memory: 512 KiB, not charged, and the reader's. Throws: DataError (not such a result), MemoryLimitError,
/// EnvironmentError.
LevelSizes read_level_sizes(core::Environment& environment, const std::string& path, std::uint64_t nodes);

}  // namespace emgraph::graph::stats
