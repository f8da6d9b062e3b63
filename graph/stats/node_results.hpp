// SPDX-License-Identifier: MIT
// Sizes from the results of other solvers: of the levels that `bfs` writes, of the components that `cc`
// writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::graph::stats {

/// Nodes on each level of a breadth-first search. Searches of long paths have as many levels as nodes: beyond
/// 65,536 levels neighbouring ones are counted together, a power of two of them each.
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

/// How many components have how many nodes. `path`: a label per node of a graph of `nodes` nodes; equal
/// labels make a component. `bin_value_bytes`: of the labels in a .bin file. Method: the labels are sorted
/// and counted. I/O: the file once; what the sort spills. Memory: all that is free. Throws: DataError (not
/// such a result), MemoryLimitError, EnvironmentError.
ValueHistogram read_component_sizes(core::Environment& environment, const std::string& path,
                                    std::uint64_t nodes, std::size_t bin_value_bytes);

}  // namespace emgraph::graph::stats
