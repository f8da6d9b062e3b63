// SPDX-License-Identifier: MIT
// Converts numbers of nodes back to original ids, by the map that relabelling wrote.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::relabel {

struct RestoreOptions {
  /// Most lanes at the same time, as for the source that is converted.
  unsigned max_lanes = 1;
  /// Memory for the map while edges are read. 0: half of the free memory.
  std::size_t table_bytes = 0;
};

/// Opens the map at its start; may be called several times.
using OpenMap = std::function<std::unique_ptr<format::NodeReader>()>;

/// Returns the edges of `source` in the same order with the ids of the map: node i gets value number i of the
/// map. `facts`: the facts of `source`; all except n hold for the result, too, because the ids of a map
/// ascend. `map_name` is for messages. Requires: `source` is at its first edge. I/O: reads the map once. If
/// the map does not fit into memory, it is read again, the edges go through two sorts of 2 m pairs, and they
/// are written and read once, twice if the input cannot be rewound. Memory: 8 bytes per node if they fit into
/// `table_bytes`, else all free memory. Throws: DataError (the map does not ascend, a node has no id),
/// MemoryLimitError, EnvironmentError.
std::shared_ptr<format::RecordSource> restore(core::Environment& environment,
                                              std::shared_ptr<format::RecordSource> source, EdgeFacts facts,
                                              const OpenMap& open_map, const std::string& map_name,
                                              const RestoreOptions& options);

}  // namespace emgraph::graph::relabel
