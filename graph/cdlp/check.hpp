// SPDX-License-Identifier: MIT
// Checks that values are the labels of a graph after a number of rounds of label propagation.
//
// Property: the labels follow from the definition, so they are computed again. No code of the solver is used,
// which counts labels in the list of each node. Method: in a round every arc gives two votes, (target, label
// of the source) and (source, label of the target); the votes are sorted, and the longest run of equal votes
// of a node, the first among equals, is its label. Undirected: the smaller end of an edge is its source.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::cdlp {

struct CheckOptions {
  std::optional<std::uint64_t> nodes =
      std::nullopt;  ///< n; default: the source's, else the largest id of the edges + 1
  bool directed = false;
  std::uint64_t iterations = 10;
};

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::internal, "edges and votes in memory"}) {}
};

/// I/O: the labels once; the edges once, and a sort. Memory: six ids per edge and an id per node; during the
/// sort of the edges a third of what is free. Threads: all for that sort, then one. Throws: DataError
/// (unreadable input), MemoryLimitError with the least sufficient amount, EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& labels,
              const CheckOptions& options);

/// What check() will do. I/O: a sample of the edges. Throws as check() before its first edge, and if the
/// edges as declared do not fit.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::cdlp
