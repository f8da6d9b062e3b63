// SPDX-License-Identifier: MIT
// Checks counts of triangles per node, and a list of triangles, against the graph.
//
// Property: count v is the number of pairs of neighbours of v that are neighbours of each other. A list is
// right iff its triples are ascending, each of three mutual neighbours, and as many as there are triangles.
// No code of the solver is used: triangles are counted by marks and counters, without intersections of lists
// (check_count.hpp); the triples of a list are looked up in the neighbours by id.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::triangles {

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::internal, "edges and counts in memory"}) {}
  bool list_is_wrong = false;  ///< if not ok: true if the list is wrong, false if the counts are
  std::uint64_t triangles = 0;
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes =
      std::nullopt;  ///< n; default: the source's, else the largest id of the edges + 1
};

/// `list` may be null. I/O: reads the edges once, and that of their sort. Memory: two ids per edge; per node
/// 24 bytes, an id, and an id per thread (with little memory fewer threads work); during the sort three ids
/// and 8 bytes per edge. Threads: all. Throws: DataError (unreadable input), MemoryLimitError with the least
/// sufficient amount, EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& per_node,
              format::NodeReader* list, const CheckOptions& options);

/// What check() will do. I/O: a sample of the edges. Throws as check() before its first edge, and if the
/// edges as declared do not fit.
template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size);

}  // namespace emgraph::graph::triangles
