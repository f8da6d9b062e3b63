// SPDX-License-Identifier: MIT
// Checks that a list of edges is the minimum spanning forest of a graph.
//
// Property: a set F of edges of G is its minimum spanning forest, by the total order (weight, low id, high
// id), iff F has no cycle and every edge e of G has its ends connected in F by a path none of whose edges is
// above e. There is exactly one such F. The path's largest edge is found in a tree of nodes, united by rank
// in ascending order of F's edges and never compressed: it is the last link on the way from the ends of e to
// where they meet. Nothing of the solver is used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/mst/claimed_forest.hpp"
#include "graph/mst/weighting.hpp"

namespace emgraph::graph::mst {

struct Verdict {
  bool ok = false;
  std::string message;  ///< when not ok: an edge that is wrong, and why
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t forest_edges = 0;
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the graph's, else the largest id of both + 1
  Weighting weighting;                 ///< of the graph's edges
};

/// I/O: the graph's edges once. Memory: 9 bytes per node (17 above 2^32), 24 per edge of the forest. Threads:
/// reading on all. Throws: UsageError (weights that cannot be compared), DataError (unreadable input, weight
/// NaN, id not below n), MemoryLimitError with what would do, EnvironmentError.
template <class R>
Verdict check(core::Environment& environment, EdgeSource<R>& graph, ClaimedForest forest,
              const CheckOptions& options);

}  // namespace emgraph::graph::mst
