// SPDX-License-Identifier: MIT
// KONECT files (out.*): edge lists behind two comment lines that declare what they hold.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Does the text start as KONECT's files do, with "% sym", "% asym" or "% bip"?
bool is_konect(const FileStart& start);
/// Ids count from 1; those of a bipartite graph's right side go behind the left side's.
Opened open_konect(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options);

}  // namespace emgraph::graph::format
