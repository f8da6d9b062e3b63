// SPDX-License-Identifier: MIT
// The forecast of a search of an adjacency file, which tells all but what a search reaches.
#include <algorithm>

#include "core/base/bytes.hpp"
#include "graph/bfs/search_forecast.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::bfs {
namespace {

// CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
constexpr double load_nanoseconds = 5;  // per entry of an adjacency file

/// The forecast of a run on an existing adjacency.
class AdjacencyForecast : SearchForecast {
 public:
  AdjacencyForecast(core::Environment& environment, const adjacency::AdjacencyFacts& facts,
                    std::uint64_t pages_bytes, std::size_t id_bytes, const Options& options,
                    const WantedOutputs& outputs)
      : SearchForecast(environment, options, outputs, id_bytes, !facts.directed) {
    check_roots(options, facts.nodes);
    nodes_ = facts.nodes;
    entries_ = facts.entries;
    pages_ = {.most_bytes = pages_bytes, .expected_bytes = pages_bytes};
    const std::uint64_t edges = facts.entries / (both_ ? 2 : 1);
    reaches_ = SampleFacts{}.connected(facts.nodes, edges);
  }

  Forecast make() {
    const Demand demand = this->demand(nodes_, entries_, true);
    forecast_.choice = choose(demand, options_);
    const bool internal = forecast_.choice.model == MemoryModel::internal;
    if (internal && wants_rows(options_)) {
      search_unpacked(demand);
      return std::move(forecast_);
    }
    absent_ = pages_.most_bytes;
    if (internal) {
      add_loading("load adjacency", load_nanoseconds);
    } else {
      reads_file_ = true;
    }
    search_pages(demand);
    return std::move(forecast_);
  }
};

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, const adjacency::PagedAdjacency<Id>& graph,
                  const Options& options, const WantedOutputs& outputs) {
  const std::uint64_t pages_bytes = core::size_product(graph.pages(), graph.context().page_bytes);
  return AdjacencyForecast(environment, graph.facts(), pages_bytes, sizeof(Id), options, outputs).make();
}

template Forecast forecast(core::Environment&, const adjacency::PagedAdjacency<std::uint32_t>&,
                           const Options&, const WantedOutputs&);
template Forecast forecast(core::Environment&, const adjacency::PagedAdjacency<std::uint64_t>&,
                           const Options&, const WantedOutputs&);

}  // namespace emgraph::graph::bfs
