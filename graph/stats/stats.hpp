// SPDX-License-Identifier: MIT
// Facts of a graph that need a full scan: loops, duplicates, degrees, wedges, hubs, weights.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"
#include "graph/stats/arc_scan.hpp"
#include "graph/stats/degree_tally.hpp"
#include "graph/stats/weight_facts.hpp"

namespace emgraph::graph::stats {

struct Options {
  /// internal and semi-external: degrees in memory, 4 bytes per node (12 if directed); external: by sorting.
  MemoryModel model = MemoryModel::automatic;
  /// Whether to count out- and in-degrees, too.
  bool directed = false;
  /// Number of hubs (nodes with the largest degrees); 16 bytes each.
  std::size_t hubs = 10;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
};

/// The simple graph is undirected, without loops, with at most one edge between two nodes. The budget must
/// outlive a Result.
struct Result {
  std::uint64_t nodes = 0;
  ArcCounts arcs;
  std::uint64_t smallest_id = 0;  ///< smallest id of all edges, if there are edges
  std::uint64_t largest_id = 0;
  DegreeTally degrees;  ///< degrees in the simple graph; out and in: each arc between different nodes once
  WeightFacts weights;  ///< weights of all edges as read
  ModelChoice choice;
  bool sorted_input = false;  ///< the input declared its order, nothing was sorted

  /// Edges beyond the first between two different nodes, in either direction.
  std::uint64_t undirected_duplicates() const { return arcs.edges - arcs.loops - arcs.simple_edges; }
};

/// Method: the edges are sorted so that both directions of a pair come together (arc_keys.hpp), and read once
/// (arc_scan.hpp); the degrees are counted in memory (counted_degrees.hpp) or by a second sort
/// (sorted_degrees.hpp). An input that declares an order by node, and the smaller end first or both
/// directions, is not sorted again. `degrees` (may be null) gets the degree of every node, in node order.
///
/// I/O: the input once; what the sorts spill. Memory: 4 bytes per node, 12 if directed, where they fit, else
/// a second sort. Threads: all sort; one scans. Throws: DataError (id not below n, or the declared order does
/// not hold), MemoryLimitError, EnvironmentError.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* degrees);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: samples of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::stats
