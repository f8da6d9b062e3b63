// SPDX-License-Identifier: MIT
// Sizes from the results of other solvers: of the levels of `bfs`, of the components of `cc`, and of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/spill/spill_forecast.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::graph::stats {

/// Number of nodes on each level of a breadth-first search. A long path has as many levels as nodes, so with
/// more than 65,536 levels groups of adjacent levels are counted together; their size is a power of two.
struct LevelSizes {
  std::uint64_t levels = 0;
  std::uint64_t reached = 0;
  std::uint64_t unreached = 0;
  std::uint64_t width = 1;           ///< levels counted together
  std::vector<std::uint64_t> sizes;  ///< of levels [i · width, (i + 1) · width)
};

/// `path`: a file with a level per node of a graph of `nodes` nodes, all ones for unreached nodes. I/O: reads
/// the file once. Memory: 512 KiB, not charged, and that of the reader. Throws: DataError (not such a
/// result), MemoryLimitError, EnvironmentError.
LevelSizes read_level_sizes(core::Environment& environment, const std::string& path, std::uint64_t nodes);

/// The histogram of component sizes. `path`: a file with a label per node of a graph of `nodes` nodes; nodes
/// with equal labels form a component. `bin_value_bytes`: bytes of a label in a .bin file. Method: sorts and
/// counts the labels. I/O: reads the file once, and that of the sort. Memory: all free memory. Throws:
/// DataError (not such a result), MemoryLimitError, EnvironmentError.
ValueHistogram read_component_sizes(core::Environment& environment, const std::string& path,
                                    std::uint64_t nodes, std::size_t bin_value_bytes);

/// For a forecast, in place of read_component_sizes: reserves its memory and returns the space of its sort.
core::SpillForecast rehearse_component_sizes(core::Environment& environment, const std::string& path,
                                             std::uint64_t nodes, std::size_t bin_value_bytes);

/// Values of nodes of 0 or more, such as ranks: their spread around the mean.
struct ValueSpread {
  explicit ValueSpread(core::MemoryBudget& budget) : hundredths(budget) {}
  double sum = 0;
  double mean = 0;
  double least = 0;
  double largest = 0;
  std::uint64_t largest_node = 0;  ///< the smallest with this value
  ValueHistogram hundredths;  ///< of value / mean · 100, rounded to three digits; below 4096 to integers
};

/// `path`: a file with a value per node of a graph of `nodes` nodes, integers or floating-point numbers of 0
/// or more. `bin_value_bytes`: bytes of an integer in a .bin file. I/O: reads the file twice. Memory: 1 MiB,
/// and that of the reader. Throws: DataError (not such a result), MemoryLimitError, EnvironmentError.
ValueSpread read_value_spread(core::Environment& environment, const std::string& path, std::uint64_t nodes,
                              std::size_t bin_value_bytes);

}  // namespace emgraph::graph::stats
