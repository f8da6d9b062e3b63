// SPDX-License-Identifier: MIT
// Header to facts and parser.
#include "graph/format/metis/open_metis.hpp"

#include <memory>
#include <utility>

#include "graph/format/lines/line_source.hpp"
#include "graph/format/metis/adjacency_line_parser.hpp"
#include "graph/format/metis/metis_header.hpp"
#include "graph/format/metis/metis_writer.hpp"

namespace emgraph::graph::format {

Opened open_metis(core::Environment& environment, core::InputFile file, const Format& /*format*/,
                  const OpenOptions& options) {
  auto input = std::make_unique<LineInput>(environment, std::move(file), BodyChunks::LongLines::split);
  const MetisHeader header = take_metis_header(*input);
  EdgeFacts facts;
  facts.name = input->file.name();
  facts.layout.id_bytes = id_bytes_for(header.nodes, options);
  if (header.weighted) facts.layout.weight = WeightType::i64;
  facts.nodes = header.nodes;
  facts.edges = header.entries;
  auto parser = std::make_unique<AdjacencyLineParser>(header, options.id_base.value_or(1));
  return {std::make_shared<LineSource>(environment, std::move(input), std::move(facts), std::move(parser),
                                       options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_metis(const Creation& creation, const Format& /*format*/) {
  return std::make_unique<MetisWriter>(creation);
}

}  // namespace emgraph::graph::format
