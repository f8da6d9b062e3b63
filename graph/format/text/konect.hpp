// SPDX-License-Identifier: MIT
// KONECT files (out.*): edge lists after two comment lines that describe them.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// True if the first line begins with the words "% sym", "% asym" or "% bip".
bool is_konect(const FileStart& start);
/// Opens a KONECT file. Ids count from 1; in a bipartite graph the ids of the right side follow those of the
/// left side.
Opened open_konect(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options);

}  // namespace emgraph::graph::format
