// SPDX-License-Identifier: MIT
// Determines the contents of the columns from names and options.
#include "graph/format/text/edge_list.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/text/edge_list_parser.hpp"
#include "graph/format/text/first_lines.hpp"

namespace emgraph::graph::format {

std::uint64_t most_above(std::uint64_t base, std::size_t id_bytes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return std::min(id_bytes == 4 ? std::uint64_t{std::numeric_limits<std::uint32_t>::max()} : most,
                  most - base);
}

LineRules edge_line_rules(std::uint64_t skip_lines) {
  return {
      .breaks = LineRules::Breaks::any, .long_lines = LineRules::LongLines::cut, .skip_lines = skip_lines};
}

Opened open_edge_lines(core::Environment& environment, std::unique_ptr<LineInput> input,
                       const TextFormat& text, EdgeFacts facts, unsigned max_lanes) {
  const bool packed = packing_of(input->file) != Packing::none;
  // The shortest line is "1 2" and a line break, which the last line may lack.
  if (input->file.seekable() && !packed) facts.most_edges = input->file.size() / 4 + 1;
  facts.layout = {.id_bytes = text.id_bytes, .weight = text.weight};
  auto parser = std::make_unique<EdgeListParser>(text, facts.edges);
  return {std::make_shared<LineSource>(environment, std::move(input), std::move(facts), std::move(parser),
                                       max_lanes)};
}

WeightType named_weight(std::string_view name) {
  if (name == "text-u32w") return WeightType::u32;
  if (name == "text-i64w" || name == "wel") return WeightType::i64;
  if (name == "text-f32w") return WeightType::f32;
  if (name == "text-f64w") return WeightType::f64;
  return WeightType::none;
}

void check_columns(const TextColumns& columns, unsigned weight_column) {
  if (columns.source != columns.target && columns.source != weight_column &&
      columns.target != weight_column) {
    return;
  }
  throw core::UsageError("one column cannot be two of source, target and weight");
}

Opened open_text(core::Environment& environment, core::InputFile input, const Format& format,
                 const OpenOptions& options) {
  TextFormat text;
  text.id_bytes = options.id_bytes.value_or(4);
  text.weight = options.text.weight.value_or(named_weight(format.name));
  const bool weighted = text.weight != WeightType::none ||
                        (options.text.columns && options.text.columns->weight) ||
                        !options.text.names.weight.empty();
  auto lines_of_input =
      std::make_unique<LineInput>(environment, std::move(input), edge_line_rules(options.text.skip_lines));
  const FirstLines lines = read_first_lines(lines_of_input->file.name(), lines_of_input->chunks, options.text,
                                            ColumnKind::ids, weighted);
  text.separator = lines.separator;
  text.words_first = lines.header.empty();
  text.skip_invalid = options.text.skip_invalid;
  text.missing_values = options.text.missing_values;
  if (text.skip_invalid || !text.missing_values.empty()) text.left_out = options.text.left_out;
  const TextColumns& columns = lines.columns;
  text.ids[0].column = columns.source;
  text.ids[1].column = columns.target;
  for (TextId& id : text.ids) {
    id.base = options.id_base.value_or(0);
    id.most = most_above(id.base, text.id_bytes);
    if (options.nodes.value_or(0) > 0) id.most = std::min(id.most, *options.nodes - 1);
  }
  if (options.nodes.value_or(0) > 0 && *options.nodes - 1 <= text.ids[0].most) {
    text.nodes_from = "--nodes asks";
  }
  if (text.weight == WeightType::none && columns.weight) text.weight = WeightType::i64;
  text.weight_column = columns.weight.value_or(3);
  check_columns(columns, text.weight == WeightType::none ? 0 : text.weight_column);
  Opened opened = open_edge_lines(environment, std::move(lines_of_input), text, {}, options.max_lanes);
  opened.details = described(lines, weighted);
  if (!lines.ignored.empty()) opened.notes.push_back(lines.ignored);
  return opened;
}

Opened open_graphs_jl(core::Environment& environment, core::InputFile input, const Format& format,
                      const OpenOptions& options) {
  if (options.text.skip_lines == 0) {
    throw core::DataError::at_line(
        input.name(), 1,
        "is a list of Graphs.jl, which starts with its counts: --skip-lines 1 goes past them, --id-base 1 "
        "makes ids count from 0");
  }
  return open_text(environment, std::move(input), format, options);
}

}  // namespace emgraph::graph::format
