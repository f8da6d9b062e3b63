// SPDX-License-Identifier: MIT
// Text edge lists: a line per edge. Options and the name of the format determine the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "graph/format/table/format.hpp"
#include "graph/format/text/line_source.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {

/// The type of weights given by the name of a format.
WeightType named_weight(std::string_view name);
/// Throws UsageError if a column is used twice. `weight_column` 0: none.
void check_columns(const TextColumns& columns, unsigned weight_column);

/// The greatest id after subtracting the base. Numbers below the base wrap around to greater values.
std::uint64_t most_above(std::uint64_t base, std::size_t id_bytes);
/// The rules of edge lists. `skip_lines`: lines to skip at the start.
LineRules edge_line_rules(std::uint64_t skip_lines);
/// Opens a text with lines described by `text`. `declared`: n, m and direction declared by a header.
Opened open_edge_lines(core::Environment& environment, std::unique_ptr<LineInput> input,
                       const TextFormat& text, EdgeFacts declared, unsigned max_lanes);

/// Opens a text. The options, else the name of the format, determine the contents of the third column.
Opened open_text(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options);
/// Creates a text: tabs between columns, commas in .csv, blanks in .e, .el and .wel; packed if the name
/// ends in .gz, .zst, .xz or .bz2.
std::unique_ptr<EdgeWriter> create_text(const Creation& creation, const Format& format);

/// Opens a list of Graphs.jl: text after a line of counts, which would be read as an edge. Throws DataError
/// unless the options skip that line.
Opened open_graphs_jl(core::Environment& environment, core::InputFile input, const Format& format,
                      const OpenOptions& options);

}  // namespace emgraph::graph::format
