// SPDX-License-Identifier: MIT
// The first line of a METIS graph.
#pragma once

#include <cstdint>

#include "graph/format/lines/line_source.hpp"

namespace emgraph::graph::format {

struct MetisHeader {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;       ///< each edge stands in two lines
  std::uint64_t node_columns = 0;  ///< numbers before the neighbours: a size, weights
  bool weighted = false;           ///< a weight follows each neighbour
};

/// Takes comments and the header from the input. Throws DataError.
/// Source: G. Karypis, "METIS, Version 5.1.0" (manual), section 4.1.1.
MetisHeader take_metis_header(LineInput& input);

}  // namespace emgraph::graph::format
