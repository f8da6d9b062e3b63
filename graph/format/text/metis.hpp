// SPDX-License-Identifier: MIT
// METIS graphs: a line per node with its neighbours.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Reads edges in the order of the lines: each edge in both directions if the file is valid. Weights are i64;
/// sizes and weights of nodes are skipped.
Opened open_metis(core::Environment& environment, core::InputFile input, const Format& format,
                  const OpenOptions& options);
/// Writes integer weights. Output that cannot be rewritten (a pipe) needs declared counts. Throws UsageError,
/// also for directed edges.
std::unique_ptr<EdgeWriter> create_metis(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
