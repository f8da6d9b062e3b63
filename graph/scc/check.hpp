// SPDX-License-Identifier: MIT
// Checks that values are the strongly connected components of a graph.
//
// Rules: (1) a label is a node, not larger than the nodes that have it, and its own label; (2) every node is
// reached from its label, and reaches it, by edges between nodes of this label: so each class is strongly
// connected; (3) the graph of the classes has no cycle: so no class is a part of a larger component.
// Method: two breadth-first searches from all labels at once; then classes that no edge enters are removed
// until none is left (Kahn, 1962, doi 10.1145/368996.369025). No code of the solver is used.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::scc {

struct CheckOptions {
  /// n; default: the source's, else the largest id of the edges + 1
  std::optional<std::uint64_t> nodes = std::nullopt;
};

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::internal, "edges and nodes in memory"}) {}
  std::uint64_t components = 0;
};

/// I/O: the labels once; the edges once, and a sort. Memory: two ids and 32 bytes per node, two ids per edge.
/// Threads: all for the sort, then one. Throws: DataError (unreadable input), MemoryLimitError,
/// EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& labels,
              const CheckOptions& options);

/// What check() will do. I/O: a sample of the edges. Throws as check() before its first edge, and if rows of
/// edges like the sample do not fit.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::scc
