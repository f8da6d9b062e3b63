// SPDX-License-Identifier: MIT
// Community detection by label propagation, as LDBC Graphalytics defines it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::cdlp {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  bool directed = false;  ///< neighbours along and against an arc are counted each
  std::uint64_t iterations = 10;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;       ///< as read
  std::uint64_t iterations = 0;  ///< rounds done; fewer than asked if a round has changed nothing
  std::uint64_t changed = 0;     ///< nodes whose label the last round has changed
  std::uint64_t communities = 0;
  ModelChoice choice;
};

/// The label of a node starts as its id. In a round all nodes at once take the label that is most frequent
/// among their neighbours, the smallest among equals; a node without neighbours keeps its label. Undirected:
/// a neighbour counts once. Directed: it counts once for an arc to it and once for an arc from it. Loops and
/// duplicates do not count. Sends the labels of nodes 0, 1, 2 … to `sink` (may be null).
/// Source: Raghavan, Albert, Kumara (2007), doi 10.1103/PhysRevE.76.036106; LDBC Graphalytics 1.0, arXiv
/// 2011.15028.
/// I/O: the edges once (a second time if ids are larger than a sample suggests); the sort of both ends,
/// unless build_rows() takes the edges; then per round, semi-external: an id per neighbour; external: that, a
/// sort of two ids per neighbour and 24 bytes per node. Memory: internal 8 bytes and two ids per node, an id
/// per neighbour; semi-external two ids per node, counters for the longest list and blocks; external blocks.
/// Threads: all for rows, the sort and internal rounds; other rounds one, beside those of sorts.
/// Throws: DataError (id not below n), MemoryLimitError, EnvironmentError.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options, NodeSink<Id>* sink);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::cdlp
