// SPDX-License-Identifier: MIT
// Header to facts and rules, facts to header.
#include "graph/format/matrix_market/open_matrix_market.hpp"

#include <memory>
#include <string>
#include <utility>

#include "graph/format/lines/edge_line_parser.hpp"
#include "graph/format/lines/edge_line_writer.hpp"
#include "graph/format/lines/line_source.hpp"
#include "graph/format/matrix_market/matrix_market_header.hpp"

namespace emgraph::graph::format {
namespace {

const char* field_of(WeightType weight) {
  switch (weight) {
    case WeightType::none:
      return "pattern";
    case WeightType::u32:
    case WeightType::i64:
      return "integer";
    case WeightType::f32:
    case WeightType::f64:
      return "real";
  }
  return "";
}

}  // namespace

bool is_matrix_market(const FileStart& start) {
  return starts_like_matrix_market(start.text());
}

Opened open_matrix_market(core::Environment& environment, core::InputFile file, const Format& /*format*/,
                          const OpenOptions& options) {
  auto input = std::make_unique<LineInput>(environment, std::move(file), BodyChunks::LongLines::refused);
  const MatrixMarketHeader header = take_matrix_market_header(*input);
  EdgeFacts facts;
  facts.name = input->file.name();
  facts.layout = {.id_bytes = id_bytes_for(header.nodes, options), .weight = header.weight};
  facts.nodes = header.nodes;
  facts.edges = header.entries;
  facts.oriented_low = header.symmetry == MatrixSymmetry::symmetric;
  EdgeLineRules rules = {.skipped = "%",
                         .first = "row",
                         .second = "column",
                         .base = options.id_base.value_or(1),
                         .id_bytes = facts.layout.id_bytes,
                         .second_is_source = facts.oriented_low,
                         .weight = header.weight,
                         .nodes = facts.nodes,
                         .edges = facts.edges};
  if (header.symmetry == MatrixSymmetry::symmetric) rules.triangle = EdgeLineRules::Triangle::lower;
  if (header.symmetry == MatrixSymmetry::skew_symmetric) {
    rules.triangle = EdgeLineRules::Triangle::strictly_lower;
  }
  return {std::make_shared<LineSource>(environment, std::move(input), std::move(facts),
                                       std::make_unique<EdgeLineParser>(rules), options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_matrix_market(const Creation& creation, const Format& /*format*/) {
  const EdgeFacts& facts = creation.facts;
  const bool symmetric = facts.oriented_low && !facts.directed;
  const std::string banner = std::string("%%MatrixMarket matrix coordinate ") +
                             field_of(facts.layout.weight) + (symmetric ? " symmetric\n" : " general\n");
  const EdgeLineStyle style = {.oriented_low = symmetric};
  return std::make_unique<EdgeLineWriter>(creation, style,
                                          [banner](std::uint64_t nodes, std::uint64_t edges) {
                                            const std::string n = std::to_string(nodes);
                                            return banner + n + " " + n + " " + std::to_string(edges);
                                          });
}

}  // namespace emgraph::graph::format
