// SPDX-License-Identifier: MIT
// The forest goes to its sink and to a spool; cc reads the spool.
#include "graph/cc/spanning_forest.hpp"

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

template Result run_with_forest(core::Environment&, const EdgeFacts&, const Options&,
                                NodeSink<std::uint32_t>*, ForestSink&, const FindForest&);
template Result run_with_forest(core::Environment&, const EdgeFacts&, const Options&,
                                NodeSink<std::uint64_t>*, ForestSink&, const FindForest&);

}  // namespace emgraph::graph::cc
