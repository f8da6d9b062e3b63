// SPDX-License-Identifier: MIT
// Header to facts and rules, facts to header.
#include "graph/format/dimacs/open_dimacs.hpp"

#include <memory>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/dimacs/dimacs_header.hpp"
#include "graph/format/lines/edge_line_parser.hpp"
#include "graph/format/lines/edge_line_writer.hpp"
#include "graph/format/lines/line_source.hpp"

namespace emgraph::graph::format {

bool is_dimacs(const FileStart& start) {
  const Format* const called = find_format(start.extension);
  const bool named = called != nullptr && called->open == open_dimacs;
  return (named || start.printable()) && starts_like_dimacs(start.text(), named);
}

Opened open_dimacs(core::Environment& environment, core::InputFile file, const Format& /*format*/,
                   const OpenOptions& options) {
  auto input = std::make_unique<LineInput>(environment, std::move(file), BodyChunks::LongLines::refused);
  const DimacsHeader header = take_dimacs_header(*input, options.id_base.has_value());
  EdgeFacts facts;
  facts.name = input->file.name();
  facts.layout.id_bytes = id_bytes_for(header.nodes, options);
  if (header.arcs) facts.layout.weight = WeightType::i64;
  facts.nodes = header.nodes;
  facts.edges = header.edges;
  facts.directed = header.arcs;
  const EdgeLineRules rules = {.letter = header.arcs ? 'a' : 'e',
                               .skipped = header.arcs ? "c" : "cndvx",
                               .first = header.arcs ? "source" : "first node",
                               .second = header.arcs ? "target" : "second node",
                               .base = options.id_base.value_or(1),
                               .id_bytes = facts.layout.id_bytes,
                               .weight = facts.layout.weight,
                               .nodes = facts.nodes,
                               .edges = facts.edges,
                               .hint = "; where nodes count from 0: --input-format gr --id-base 0"};
  return {std::make_shared<LineSource>(environment, std::move(input), std::move(facts),
                                       std::make_unique<EdgeLineParser>(rules), options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_dimacs(const Creation& creation, const Format& /*format*/) {
  const WeightType weight = creation.facts.layout.weight;
  if (weight == WeightType::f32 || weight == WeightType::f64) {
    throw core::UsageError(creation.path +
                           ": the weights of a .gr file are integers, these edges have fractions");
  }
  const EdgeLineStyle style = {.prefix = "a ", .weight_if_none = "1"};
  return std::make_unique<EdgeLineWriter>(creation, style, [](std::uint64_t nodes, std::uint64_t edges) {
    return "p sp " + std::to_string(nodes) + " " + std::to_string(edges);
  });
}

}  // namespace emgraph::graph::format
