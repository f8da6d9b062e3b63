// SPDX-License-Identifier: MIT
// Text edge lists as formats.
#pragma once

#include <string_view>

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// What the name of a format says of weights.
WeightType named_weight(std::string_view name);
/// Throws UsageError if one column is wanted twice. `weight_column` 0: none.
void check_columns(const TextColumns& columns, unsigned weight_column);

/// The name of the format says what the third column holds, unless the options do.
Opened open_text(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options);
/// Tabs between columns, commas in .csv, blanks in .el and .wel; packed by gzip or zstd as the name says.
std::unique_ptr<EdgeWriter> create_text(const Creation& creation, const Format& format);

/// Lists of Graphs.jl: text behind a line of counts, which would be taken for an edge. Throws DataError
/// unless the options skip it.
Opened open_graphs_jl(core::Environment& environment, core::InputFile input, const Format& format,
                      const OpenOptions& options);

/// Does the text start as KONECT's files do, with "% sym", "% asym" or "% bip"?
bool is_konect(const FileStart& start);
/// Ids count from 1; those of a bipartite graph's right side go behind the left side's.
Opened open_konect(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options);

}  // namespace emgraph::graph::format
