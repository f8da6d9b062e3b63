// SPDX-License-Identifier: MIT
// Components together with the lexicographically first spanning forest.
//
// Method: the minimum spanning forest with all weights equal (graph/mst) is the lexicographically first one;
// it has the components of the graph, so the labels are found from its edges alone. One read of the input,
// whatever it is: pipes need no second one. I/O: that of mst, and the forest, at most n - 1 edges, once out
// and once in. Memory: as mst and cc, one after the other, and two blocks. Threads: all. Throws: as mst and
// cc.
#pragma once

#include "graph/cc/cc.hpp"
#include "graph/mst/mst.hpp"

namespace emgraph::graph::cc {

/// As run(); the edges of the forest go to `forest`, ascending by (low, high).
template <class R>
Result run_with_forest(core::Environment& environment, EdgeSource<R>& edges, const Options& options,
                       NodeSink<typename R::id_type>* labels, mst::ForestSink& forest);

}  // namespace emgraph::graph::cc
