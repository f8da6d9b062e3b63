// SPDX-License-Identifier: MIT
// Local clustering coefficients as LDBC Graphalytics defines them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::lcc {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  bool directed =
      false;  ///< arcs between neighbours are counted; an arc of either direction makes a neighbour
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  double mean = 0;          ///< of the coefficients of all nodes
  ModelChoice choice;
};

/// The coefficient of a node: the arcs between its `degree` neighbours, over those that there could be. 0 for
/// fewer than two neighbours.
inline double coefficient(std::uint64_t arcs, std::uint64_t degree) {
  if (degree < 2) return 0;
  return static_cast<double>(arcs) / (static_cast<double>(degree) * static_cast<double>(degree - 1));
}

/// Undirected: an edge is an arc each way, so the coefficient is triangles over wedges. Duplicates
/// and loops count nothing. Sends the bits of doubles, the coefficients of nodes 0, 1, 2 … to `sink` (may be
/// null).
/// Method: graph/triangles counts the triangles of each node; directed, those of a graph with three copies of
/// each node (layered_source.hpp). I/O, memory, threads, errors: as triangles::run with counts per node, of
/// 3 n nodes and 5 m edges if directed; 32 bytes per node to the temporary disks and back.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<std::uint64_t>* sink);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::lcc
