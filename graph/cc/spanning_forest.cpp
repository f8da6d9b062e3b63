// SPDX-License-Identifier: MIT
// The forest goes to its sink and to a spool; cc reads the spool.
#include "graph/cc/spanning_forest.hpp"

#include <algorithm>
#include <utility>

#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::cc {
namespace {

template <class Id>
class SpoolingSink final : public ForestSink {
 public:
  SpoolingSink(core::Environment& environment, ForestSink& next)
      : next_(next), spool_(environment, prepare::spool_block_bytes) {}

  void append(std::span<const ForestEdge> edges) override {
    next_.append(edges);
    for (const ForestEdge& edge : edges) {
      spool_.push({static_cast<Id>(edge.low), static_cast<Id>(edge.high)});
    }
  }
  core::Run<Edge<Id>> finish() { return spool_.finish(); }

 private:
  ForestSink& next_;
  core::RunWriter<Edge<Id>> spool_;
};

}  // namespace

template <class Id>
Result run_with_forest(core::Environment& environment, const EdgeFacts& input, const Options& options,
                       NodeSink<Id>* labels, ForestSink& forest, const FindForest& find) {
  ForestFound found;
  core::Run<Edge<Id>> spooled;
  {
    SpoolingSink<Id> sink(environment, forest);
    found = find(sink);
    spooled = sink.finish();
  }
  EdgeFacts facts = input;
  facts.layout = {.id_bytes = sizeof(Id)};
  facts.nodes = found.nodes;
  facts.edges = found.forest_edges;
  EdgeSource<Id> source = prepare::spooled_source(environment, std::move(facts), std::move(spooled));
  Options of_forest = options;
  of_forest.nodes = found.nodes;
  Result result = run<Id>(environment, source, of_forest, labels);
  result.edges = found.edges;
  result.choice = std::move(found.choice);
  return result;
}

template <class Id>
Forecast forecast_with_forest(core::Environment& environment, const EdgeFacts& input, const Options& options,
                              const InputSize& size, const std::function<Forecast()>& find) {
  Forecast forecast;
  {
    const core::RunWriter<Edge<Id>> spool(environment, prepare::spool_block_bytes);
    forecast = find();
  }
  const std::optional<std::uint64_t> nodes = options.nodes ? options.nodes : size.nodes;
  if (!nodes || !size.edges) return forecast;
  EdgeFacts facts = input;
  facts.layout = {.id_bytes = sizeof(Id)};
  facts.nodes = *nodes;
  facts.edges.reset();
  EdgeSource<Id> source = prepare::spooled_source(environment, std::move(facts), core::Run<Edge<Id>>{});
  Options of_forest = options;
  of_forest.nodes = *nodes;
  const std::uint64_t edges = std::min(*nodes - std::min<std::uint64_t>(*nodes, 1), *size.edges);
  const Forecast labels = cc::forecast<Id>(environment, source, of_forest, {*nodes, edges});
  const std::uint64_t spooled = core::size_product(edges, sizeof(Edge<Id>));
  if (forecast.temporary && labels.temporary) {
    core::SpillForecast& space = *forecast.temporary;
    const std::uint64_t blocks = 4 * prepare::spool_block_bytes;
    space = {.most_bytes =
                 core::size_sum(spooled, blocks, std::max(space.most_bytes, labels.temporary->most_bytes)),
             .expected_bytes = std::max({space.expected_bytes, spooled, labels.temporary->expected_bytes})};
  } else {
    forecast.temporary.reset();
  }
  for (ForecastPhase phase : labels.phases) {
    phase.temporary_bytes = core::size_sum(phase.temporary_bytes, phase.input_readings * spooled);
    phase.input_readings = 0;
    forecast.phases.push_back(std::move(phase));
  }
  return forecast;
}

template Forecast forecast_with_forest<std::uint32_t>(core::Environment&, const EdgeFacts&, const Options&,
                                                      const InputSize&, const std::function<Forecast()>&);
template Forecast forecast_with_forest<std::uint64_t>(core::Environment&, const EdgeFacts&, const Options&,
                                                      const InputSize&, const std::function<Forecast()>&);
template Result run_with_forest(core::Environment&, const EdgeFacts&, const Options&,
                                NodeSink<std::uint32_t>*, ForestSink&, const FindForest&);
template Result run_with_forest(core::Environment&, const EdgeFacts&, const Options&,
                                NodeSink<std::uint64_t>*, ForestSink&, const FindForest&);

}  // namespace emgraph::graph::cc
