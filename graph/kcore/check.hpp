// SPDX-License-Identifier: MIT
// Checks that values are the core numbers of a graph.
//
// Property: c(v) are the core numbers if and only if
// 1. every node v has at least c(v) neighbours u with c(u) >= c(v): so v is in a c(v)-core; and
// 2. for k = 0, 1, 2 …, after all nodes with c < k are removed, the nodes with c = k can be removed one after
//    the other, each with at most k neighbours left: so none of them is in a (k + 1)-core.
// No code of the solver is used.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::kcore {

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::internal, "edges and nodes in memory"}) {}
  std::uint64_t degeneracy = 0;  ///< when ok
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the source's, else the largest id of the edges + 1
};

/// I/O: the core numbers once; the edges once, and a sort. Memory: two ids per edge; 24 bytes and two ids per
/// node. Threads: all for the sort, then one. Throws: DataError (unreadable input), MemoryLimitError,
/// EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& cores,
              const CheckOptions& options);

/// What check() will do. I/O: a sample of the edges. Throws as check() before its first edge, and if rows of
/// edges like the sample do not fit.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::kcore
