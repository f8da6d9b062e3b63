// SPDX-License-Identifier: MIT
// Checks that distances, and parents, are those of shortest paths from a root.
//
// Property: the root has distance 0; every arc (u, v) of length w has d(v) <= d(u) + w, where a sum that does
// not fit counts as unreached; every reached node but the root is supported: it has a tight arc, with
// d(u) + w = d(v), from a nearer node, d(u) < d(v), or it is connected by arcs that are tight and add
// nothing, d(u) = d(v) (length 0, or absorbed by rounding), to such a node or to the root. By the second rule
// no distance is larger than the length of a path from the root, by induction along the path; by the third
// each distance is the length of one. Parents: of every reached node but the root the smallest nearer node
// with a tight arc; without one, the smallest of the nodes with a tight arc that have the fewest arcs that
// add nothing behind them; of the root itself; of unreached nodes none (all ones). Undirected: an edge is an
// arc each way. Loops count nowhere. The edges may come in any order. No code of the solver is used.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::sssp {

struct Verdict : graph::Verdict {
  bool about_parents = false;  ///< the message is about the parents, not about the distances
  std::optional<std::uint64_t> root;
  std::uint64_t reached = 0;  ///< nodes, including the root
};

struct CheckOptions {
  bool directed = false;  ///< an edge leads from its source to its target only
  Weighting weighting = {};
  /// Default: the node that is its own parent; without parents the node of distance 0. If several have
  /// distance 0, it is the smallest that supports the others.
  std::optional<std::uint64_t> root = std::nullopt;
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< n; default: the source's, else largest id + 1
};

/// `distances`: integers if the weights are integers (all ones: unreached), else doubles (infinity).
/// `parents` may be null. Requires: the source has attachments if the weights are stored.
/// I/O: the edges once; when the values do not fit in memory, O(sort(m)) and the distances once more; arcs
/// that add nothing, if they do not fit, once more for each of the steps by which they lead to the last node.
/// Memory: in memory 8 bytes per node, an id for its parent, two bits; else all that is free, at least about
/// 3 MiB. Throws: UsageError (the root is no node), DataError (unreadable input; distances of the wrong kind;
/// a weight that is negative, NaN or infinite, naming the edge), MemoryLimitError, EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& distances,
              format::NodeReader* parents, const CheckOptions& options);

/// What check() will do. `distances`: null if only check() may read them. `parents`: there are some. If a
/// sample of the weights has none that adds nothing to a distance, the bounds do not count such arcs. I/O: a
/// sample of the edges. Throws as check() before its first edge.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges,
                        const format::NodeReader* distances, bool parents, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::sssp
