// SPDX-License-Identifier: MIT
// The way back: numbers of nodes become the original ids again, by the map that relabelling wrote.
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
  /// Most lanes that will exist at the same time, as the source inside was opened for.
  unsigned max_lanes = 1;
  /// What the map may keep of the memory while edges are read. 0: half of what is free.
  std::size_t table_bytes = 0;
};

/// Opens the map at its start, a second time if need be.
using OpenMap = std::function<std::unique_ptr<format::NodeReader>()>;

/// The same edges in the same order with the ids of the map: that of node i is its value number i. `facts`:
/// of `source`, which stands at its first edge; all but n holds of the result, too, because ids of a map
/// ascend. `map_name` is for messages. I/O: the map once. If it does not fit into memory it is read again,
/// and the edges go through two sorts of 2 m pairs and once out and in, twice if the input cannot be rewound.
/// Memory: 8 bytes per node if `table_bytes` hold them, else all that is free while it runs. Throws:
/// DataError (the map does not ascend, a node has no id), MemoryLimitError, EnvironmentError.
std::shared_ptr<format::RecordSource> restore(core::Environment& environment,
                                              std::shared_ptr<format::RecordSource> source, EdgeFacts facts,
                                              const OpenMap& open_map, const std::string& map_name,
                                              const RestoreOptions& options);

}  // namespace emgraph::graph::relabel
