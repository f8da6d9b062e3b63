// SPDX-License-Identifier: MIT
// What the header says, and the pages as edges.
#include "graph/format/adjacency/adjacency_format.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "graph/format/adjacency/adjacency_edges.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/adjacency/adjacency_writer.hpp"

namespace emgraph::graph::adjacency {

bool is_adjacency(const format::FileStart& start) {
  return start.starts_with({reinterpret_cast<const char*>(adjacency_magic.data()), adjacency_magic.size()});
}

format::Opened open_adjacency(core::Environment& environment, core::InputFile input,
                              const format::Format& /*format*/, const format::OpenOptions& options) {
  auto file = std::make_shared<AdjacencyEdges>(environment, std::move(input), options.max_lanes);
  const FileHeader& header = file->header();
  const FileFooter& footer = file->footer();
  format::Metadata details = {{"version", std::to_string(header.major) + "." + std::to_string(header.minor)},
                              {"page_bytes", std::to_string(header.page_bytes)},
                              {"pages", std::to_string(footer.pages)},
                              {"largest_degree", std::to_string(footer.largest_degree)},
                              {"largest_degree_node", std::to_string(footer.largest_degree_node)}};
  return {file, file->metadata(), std::move(details)};
}

std::unique_ptr<format::EdgeWriter> create_adjacency(const format::Creation& creation,
                                                     const format::Format& /*format*/) {
  return std::make_unique<AdjacencyWriter>(creation.environment, creation.open_output(), creation.facts,
                                           creation.options.metadata);
}

}  // namespace emgraph::graph::adjacency
