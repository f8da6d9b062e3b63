// SPDX-License-Identifier: MIT
// The generator as an edge source, sorted into pages.
#include "graph/graph500/list_pages.hpp"

#include "graph/format/source/generator_source.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/sssp/build.hpp"

namespace emgraph::graph::graph500 {

EdgeSource<std::uint32_t> list_source(core::Environment& environment, const EdgeList& list,
                                      std::uint64_t edge_factor, std::uint64_t seed, GraphParts parts) {
  const generate::Graph500Model model(static_cast<unsigned>(list.edges.plan().scale), edge_factor, seed);
  generate::AttachmentSpec attachments;
  attachments.model_weights = parts.arcs;
  const auto records = std::make_shared<format::GeneratorSource>(environment, model, attachments, seed, 4,
                                                                 environment.threads);
  return {records, records->facts(), attachments.bytes()};
}

std::unique_ptr<adjacency::PagedAdjacency<std::uint32_t>> build_list_pages(core::Environment& environment,
                                                                           const EdgeList& list,
                                                                           std::uint64_t edge_factor,
                                                                           std::uint64_t seed,
                                                                           GraphParts parts) {
  EdgeSource<std::uint32_t> source = list_source(environment, list, edge_factor, seed, parts);
  adjacency::BuildOptions options{.nodes = list.edges.nodes()};
  if (parts.arcs) {
    options.weighting = Weighting{};
    options.limits = sssp::length_limits();
  }
  return adjacency::build_pages(environment, source, options).adjacency;
}

}  // namespace emgraph::graph::graph500
