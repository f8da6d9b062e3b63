// SPDX-License-Identifier: MIT
// Checks local clustering coefficients against the graph.
//
// Property: the value of v is the number of arcs between neighbours of v over deg · (deg - 1). No code of the
// solver is used. Problem: count the arcs between neighbours. Method: nodes are ordered by degree, and every
// pair of neighbours leads to the one of larger degree, with the number of its arcs, 1 or 2. The list of u is
// marked with these numbers; the list of each v on it is looked up in the marks. A triangle adds the arcs of
// each side to the count of the opposite corner. Undirected graphs have 2 arcs on each side.
// Source: Schank and Wagner 2005, doi 10.1007/11427186_54 (forward); Chiba and Nishizeki 1985, doi
// 10.1137/0214017 (marks).
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::lcc {

struct CheckOptions {
  std::optional<std::uint64_t> nodes =
      std::nullopt;  ///< n; default: the source's, else the largest id of the edges + 1
  bool directed = false;
};

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::internal, "edges and counts in memory"}) {}
};

/// Values must be equal to one unit in the last place: the counts are integers. I/O: reads the edges once,
/// and that of their sort. Memory: an id and a byte per edge; per node 20 bytes, an id, and a byte per
/// thread; during the sort twice that of the edges. Threads: all. Throws: DataError (unreadable input),
/// MemoryLimitError with the least sufficient amount, EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& values,
              const CheckOptions& options);

/// What check() will do. I/O: a sample of the edges. Throws as check() before its first edge, and if the
/// edges as declared do not fit.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::lcc
