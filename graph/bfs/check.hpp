// SPDX-License-Identifier: MIT
// Checks that levels, and parents, are those of a breadth-first search.
//
// Property, undirected: one node, the root, has level 0; every edge joins two nodes whose levels differ by at
// most 1, or two unreached ones; every reached node but the root has a neighbour on the level above. By the
// second rule no level is larger than the distance from the root and all nodes connected to the root are
// reached; by the third none is smaller. Directed: an edge from a reached node leads to a level at most 1
// below. Parents: of every reached node but the root the smallest neighbour on the level above, of the root
// itself, of unreached nodes none (all ones). The edges may come in any order. No code of the solver is used.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::bfs {

struct Verdict : graph::Verdict {
  bool about_parents = false;         ///< the message is about the parents, not about the levels
  std::optional<std::uint64_t> root;  ///< the root, if exactly one node has level 0
  std::uint64_t reached = 0;
};

struct CheckOptions {
  std::optional<std::uint64_t> root{};   ///< must have level 0; default: any
  bool directed = false;                 ///< an edge leads from its source to its target only
  std::optional<std::uint64_t> nodes{};  ///< n; default: the source's, else the largest id of the edges + 1
};

/// `parents` may be null. I/O: the edges once; when levels (and parents) do not fit in memory, O(sort(m)).
/// Throws: UsageError (the root is no node), DataError (unreadable input), MemoryLimitError,
/// EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& levels,
              format::NodeReader* parents, const CheckOptions& options);

/// What check() will do. `levels`: null if only check() may read them. `parents`: there are some. I/O: a
/// sample of the edges. Throws as check() before its first edge.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges,
                        const format::NodeReader* levels, bool parents, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::bfs
