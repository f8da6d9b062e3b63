// SPDX-License-Identifier: MIT
// Checks that a list of nodes is the lexicographically first maximal independent set of a graph.
//
// Property: node v is in the set iff no smaller neighbour of v is. It characterises the set: there is exactly
// one. Call a node covered when a member smaller than it is its neighbour. Then the set is right iff the
// members and the covered nodes together are 0 … n-1, each once. The edges may come in any order. No code of
// the solver is used.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::mis {

struct Verdict : graph::Verdict {
  std::uint64_t members = 0;
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the source's, else the largest id of the edges + 1
};

/// I/O: the edges once, twice if n is not known; when two bits per node do not fit in memory, O(sort(m)).
/// Throws: DataError (unreadable input), MemoryLimitError, EnvironmentError. A list that does not ascend is a
/// verdict.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& set,
              const CheckOptions& options);

/// What check() will do. I/O: a sample of the edges. Throws as check() before its first edge.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::mis
