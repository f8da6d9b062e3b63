// SPDX-License-Identifier: MIT
// Text edge lists: a line per edge, its columns as options and the name of the format say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "graph/format/table/format.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {

/// What the name of a format says of weights.
WeightType named_weight(std::string_view name);
/// Throws UsageError if one column is wanted twice. `weight_column` 0: none.
void check_columns(const TextColumns& columns, unsigned weight_column);

/// What no id may exceed once the base is taken off. Below the base, numbers wrap around to above this.
std::uint64_t most_above(std::uint64_t base, std::size_t id_bytes);
/// A text whose lines hold what `text` says. `declared`: n, m and direction, as a head declares them.
Opened open_edge_lines(core::Environment& environment, core::InputFile file, const TextFormat& text,
                       EdgeFacts declared, const OpenOptions& options);

/// The name of the format says what the third column holds, unless the options do.
Opened open_text(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options);
/// Tabs between columns, commas in .csv, blanks in .el and .wel; packed by gzip or zstd as the name says.
std::unique_ptr<EdgeWriter> create_text(const Creation& creation, const Format& format);

/// Lists of Graphs.jl: text behind a line of counts, which would be taken for an edge. Throws DataError
/// unless the options skip it.
Opened open_graphs_jl(core::Environment& environment, core::InputFile input, const Format& format,
                      const OpenOptions& options);

}  // namespace emgraph::graph::format
