// SPDX-License-Identifier: MIT
// Names, options and heads to what the columns hold.
#include "graph/format/text/open_text.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/text/konect_head.hpp"
#include "graph/format/text/text_source.hpp"
#include "graph/format/text/text_writer.hpp"

namespace emgraph::graph::format {
namespace {

std::uint64_t largest_id(std::size_t id_bytes) {
  return id_bytes == 4 ? std::numeric_limits<std::uint32_t>::max()
                       : std::numeric_limits<std::uint64_t>::max();
}

/// What no id may exceed once the base is taken off. Below the base, numbers wrap around to above this.
std::uint64_t most_above(std::uint64_t base, std::size_t id_bytes) {
  return std::min(largest_id(id_bytes), std::numeric_limits<std::uint64_t>::max() - base);
}

Opened open_lines(core::Environment& environment, core::InputFile input, const TextFormat& text,
                  const TextFacts& facts, const OpenOptions& options) {
  return {std::make_shared<TextSource>(environment, std::move(input), text, facts, options.text.skip_lines,
                                       options.max_lanes)};
}

}  // namespace

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
  text.separator = options.text.separator;
  const TextColumns columns = options.text.columns.value_or(TextColumns());
  text.ids[0].column = columns.source;
  text.ids[1].column = columns.target;
  for (TextId& id : text.ids) {
    id.base = options.id_base.value_or(0);
    id.most = most_above(id.base, text.id_bytes);
  }
  text.weight = options.text.weight.value_or(named_weight(format.name));
  if (text.weight == WeightType::none && columns.weight) text.weight = WeightType::i64;
  text.weight_column = columns.weight.value_or(3);
  check_columns(columns, text.weight == WeightType::none ? 0 : text.weight_column);
  return open_lines(environment, std::move(input), text, {}, options);
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

std::unique_ptr<EdgeWriter> create_text(const Creation& creation, const Format& format) {
  const std::string extension = extension_of(unpacked_name(creation.path));
  const std::string& called = creation.options.format.value_or(extension);
  const EdgeLayout& layout = creation.facts.layout;
  if (format.name == "wel" && layout.weight == WeightType::none) {
    throw core::UsageError(creation.path + ": a .wel file holds weights, and the edges have none");
  }
  const bool blank = format.name == "wel" || called == "el";
  const char separator = called == "csv" || extension == "csv" ? ',' : blank ? ' ' : '\t';
  return std::make_unique<TextWriter>(creation.environment, open_text_output(creation), layout, separator);
}

bool is_konect(const FileStart& start) {
  return start.starts_with("% sym ") || start.starts_with("% asym ") || start.starts_with("% bip ");
}

Opened open_konect(core::Environment& environment, core::InputFile input, const Format& /*format*/,
                   const OpenOptions& options) {
  constexpr std::size_t head_bytes = 4096;
  std::vector<std::byte> unpacked;
  std::span<const std::byte> start = input.peek(head_bytes);
  if (packing_of(start) != Packing::none) {
    unpacked = unpacked_start(environment, input, head_bytes);
    start = unpacked;
  }
  KonectHead head;
  const auto refuse = [&](std::uint64_t line, const std::string& what) {
    throw core::DataError::at_line(input.name(), line, what);
  };
  const std::string wrong = parse_konect_head(as_text(start), head);
  if (!wrong.empty()) refuse(1, wrong);
  if (head.bipartite && !(head.left_nodes && head.right_nodes)) {
    refuse(
        2,
        "found a bipartite graph without a second line \"% edges left right\", which says how many nodes the "
        "left side has: both sides count from 1 (--input-format text reads the numbers as they stand)");
  }
  TextFormat text;
  text.weight = head.weight;
  text.weight_optional = true;
  TextFacts facts{.directed = head.directed};
  // Multiplicities may be what m counts.
  if (!head.multiplicities) facts.edges = head.edges;
  if (head.left_nodes) {
    const std::uint64_t right = head.right_nodes.value_or(*head.left_nodes);
    const std::uint64_t nodes = head.bipartite ? *head.left_nodes + right : std::max(*head.left_nodes, right);
    if (*head.left_nodes == 0 || right == 0 || nodes < right) {
      refuse(2, "found nodes " + std::to_string(*head.left_nodes) + " and " + std::to_string(right) +
                    ", expected 1 to 2^64 - 1");
    }
    facts.nodes = nodes;
  }
  const bool wide = facts.nodes > largest_id(4);
  text.id_bytes = wide ? 8 : options.id_bytes.value_or(4);
  text.declared_nodes = facts.nodes.has_value();
  for (TextId& id : text.ids) {
    id.base = 1;
    id.most = most_above(id.base, text.id_bytes);
  }
  if (facts.nodes) {
    for (TextId& id : text.ids) id.most = *facts.nodes - 1;
  }
  if (head.bipartite) {
    text.ids[0].most = *head.left_nodes - 1;
    text.ids[1].most = *head.right_nodes - 1;
    text.ids[1].offset = *head.left_nodes;
  }
  return open_lines(environment, std::move(input), text, facts, options);
}

}  // namespace emgraph::graph::format
