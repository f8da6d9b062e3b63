// SPDX-License-Identifier: MIT
// Graphs of the WebGraph framework (BVGraph) as one of the edge formats.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// NAME.graph that is no text, as METIS files of that name are.
bool is_webgraph(const FileStart& start);

/// Reads NAME.properties beside it, and no other file. Throws DataError where that is missing.
Opened open_webgraph(core::Environment& environment, core::InputFile input, const Format& format,
                     const OpenOptions& options);

}  // namespace emgraph::graph::format
