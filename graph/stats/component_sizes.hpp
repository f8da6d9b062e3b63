// SPDX-License-Identifier: MIT
// Sizes of connected components, from the result that `cc` writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/environment.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::graph::stats {

/// How many components have how many nodes. `path`: a label per node of a graph of `nodes` nodes; equal
/// labels make a component. `bin_value_bytes`: of the labels in a .bin file. Method: the labels are sorted
/// and counted. I/O: the file once; what the sort spills. Memory: all that is free. Throws: DataError (not
/// such a result), MemoryLimitError, EnvironmentError.
ValueHistogram read_component_sizes(core::Environment& environment, const std::string& path,
                                    std::uint64_t nodes, std::size_t bin_value_bytes);

}  // namespace emgraph::graph::stats
