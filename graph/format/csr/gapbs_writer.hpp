// SPDX-License-Identifier: MIT
// Writes the serialized graphs of the GAP benchmark suite.
#pragma once

#include <memory>

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Edges must be declared as adjacency_facts.hpp wants them. Method: both parts of the file are spooled to
/// the temporary disks as they come, because sizes and offsets stand before them; a directed graph is then
/// read back and sorted by target for its second half. Reads and writes nothing twice but that. I/O: 4 or 8
/// bytes per edge and 8 per node, out and in; directed: that three times, and a sort. Memory: some blocks
/// (CsrSpool); directed: all that is free, in finish(). Threads: one appends. Throws: DataError (an id from
/// 2^31 - 1 on or not below the declared n, a weight that is no i32), EnvironmentError, MemoryLimitError,
/// std::logic_error as AdjacencyWriter does.
std::unique_ptr<EdgeWriter> make_gapbs_writer(const Creation& creation, bool weighted);

}  // namespace emgraph::graph::format
