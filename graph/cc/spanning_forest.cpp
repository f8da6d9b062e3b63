// SPDX-License-Identifier: MIT
// The forest goes to its sink and to a spool, the spool through cc.
#include "graph/cc/spanning_forest.hpp"

#include <utility>

#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::cc {
namespace {

template <class R>
class SpoolingSink final : public mst::ForestSink {
 public:
  SpoolingSink(core::Environment& environment, mst::ForestSink& next)
      : next_(next), spool_(environment, prepare::SpooledSource<R>::block_bytes) {}

  void append(std::span<const mst::ForestEdge> edges) override {
    next_.append(edges);
    using Id = typename R::id_type;
    for (const mst::ForestEdge& edge : edges) {
      spool_.push({static_cast<Id>(edge.low), static_cast<Id>(edge.high)});
    }
  }
  core::Run<R> finish() { return spool_.finish(); }

 private:
  mst::ForestSink& next_;
  core::RunWriter<R> spool_;
};

}  // namespace

template <class R>
Result run_with_forest(core::Environment& environment, EdgeSource<R>& edges, const Options& options,
                       NodeSink<typename R::id_type>* labels, mst::ForestSink& forest) {
  mst::Result found;
  core::Run<R> spooled;
  {
    SpoolingSink<R> sink(environment, forest);
    mst::Options unit;
    unit.model = options.model;
    unit.weighting.rule = mst::WeightRule::unit;
    unit.nodes = options.nodes;
    found = mst::run<R>(environment, edges, unit, &sink);
    spooled = sink.finish();
  }
  EdgeFacts facts = edges.facts();
  facts.layout = {.id_bytes = sizeof(typename R::id_type)};
  facts.nodes = found.nodes;
  facts.edges = found.forest_edges;
  prepare::SpooledSource<R> source(environment, std::move(facts), std::move(spooled));
  Options of_forest = options;
  of_forest.nodes = found.nodes;
  Result result = run<R>(environment, source, of_forest, labels);
  result.edges = found.edges;
  result.choice = found.choice;
  return result;
}

template Result run_with_forest(core::Environment&, EdgeSource<Record<std::uint32_t, 0>>&, const Options&,
                                NodeSink<std::uint32_t>*, mst::ForestSink&);
template Result run_with_forest(core::Environment&, EdgeSource<Record<std::uint64_t, 0>>&, const Options&,
                                NodeSink<std::uint64_t>*, mst::ForestSink&);

}  // namespace emgraph::graph::cc
