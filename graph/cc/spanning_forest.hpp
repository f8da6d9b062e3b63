// SPDX-License-Identifier: MIT
// Components from the edges of a spanning forest, which has the components of its graph.
//
// Method: the forest is found by another solver (graph/mst) while it reads the input once, so that pipes need
// no second reading. Its edges go to the caller's sink and to a spool; the labels come from the spool.
// I/O: that of the finder, and the forest, at most n - 1 edges, once out and once in. Memory: the finder's,
// then that of cc, and two blocks. Threads: all. Throws: as the finder and cc.
#pragma once

#include <functional>

#include "graph/cc/cc.hpp"

namespace emgraph::graph::cc {

/// What the finder of the forest knows when it is done.
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

}  // namespace emgraph::graph::cc
