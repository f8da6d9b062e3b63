// SPDX-License-Identifier: MIT
// Computes components from the edges of a spanning forest, which has the same components as its graph.
//
// Method: another solver (graph/mst) finds the forest in one reading of the input, so pipes need no second
// reading. The edges of the forest go to the caller's sink and to a spool. The labels are computed from the
// spool. I/O: that of the other solver; writes and reads the forest, at most n - 1 edges, once. Memory: that
// of the other solver, then that of cc, and two blocks. Threads: all. Throws: as the other solver and cc.
#pragma once

#include <functional>

#include "graph/cc/cc.hpp"

namespace emgraph::graph::cc {

/// The result of the solver that finds the forest.
struct ForestFound {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< of the graph, as read
  std::uint64_t forest_edges = 0;
  ModelChoice choice;
};

/// Sends the edges of a spanning forest to the sink, ascending by (low, high).
using FindForest = std::function<ForestFound(ForestSink&)>;

/// As run(), for the graph with facts `input`; the edges that `find` sends go to `forest`, too.
template <class Id>
Result run_with_forest(core::Environment& environment, const EdgeFacts& input, const Options& options,
                       NodeSink<Id>* labels, ForestSink& forest, const FindForest& find);

/// What run_with_forest() would do with a graph of this size (graph/forecast.hpp). `find`: the forecast of
/// the other solver.
template <class Id>
Forecast forecast_with_forest(core::Environment& environment, const EdgeFacts& input, const Options& options,
                              const InputSize& size, const std::function<Forecast()>& find);

}  // namespace emgraph::graph::cc
