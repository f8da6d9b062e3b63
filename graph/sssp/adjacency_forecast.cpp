// SPDX-License-Identifier: MIT
// The forecast of a search of an adjacency file, which tells all but what a search reaches.
#include "core/base/bytes.hpp"
#include "graph/adjacency/weight_limits.hpp"
#include "graph/sample_facts.hpp"
#include "graph/sssp/search_forecast.hpp"

namespace emgraph::graph::sssp {
namespace {

/// The forecast of a run on an existing adjacency.
class AdjacencyForecast : SearchForecast {
 public:
  AdjacencyForecast(core::Environment& environment, const adjacency::AdjacencyFacts& facts,
                    std::uint64_t pages_bytes, std::size_t id_bytes, const Options& options,
                    const WantedOutputs& outputs)
      : SearchForecast(environment, options, outputs, id_bytes, facts.weight) {
    check_nodes(options, facts.nodes);
    nodes_ = facts.nodes;
    arcs_ = facts.entries;
    pages_ = {.most_bytes = pages_bytes, .expected_bytes = pages_bytes};
    few_weights_ = facts.weights.largest - facts.weights.least < many_weights;
    reaches_ = SampleFacts{}.connected(nodes_, facts.directed ? arcs_ : arcs_ / 2);
  }

  Forecast make() {
    const Demand known = demand(nodes_, arcs_, true);
    const Needs need = needs(known, options_);
    forecast_.choice = choose(known, options_);
    if (forecast_.choice.model == MemoryModel::internal) {
      search_unpacked(need);
    } else {
      reads_file_ = true;
      search_pages(need);
    }
    return finished();
  }
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph,
                  const Options& options, const WantedOutputs& outputs) {
  adjacency::require_weights(graph, length_limits());
  const std::uint64_t pages_bytes = core::size_product(graph.pages(), graph.context().page_bytes);
  return AdjacencyForecast(environment, graph.facts(), pages_bytes, sizeof(Id), options, outputs).make();
}

template Forecast forecast(core::Environment&, adjacency::PagedAdjacency<std::uint32_t>&, const Options&,
                           const WantedOutputs&);
template Forecast forecast(core::Environment&, adjacency::PagedAdjacency<std::uint64_t>&, const Options&,
                           const WantedOutputs&);

}  // namespace emgraph::graph::sssp
