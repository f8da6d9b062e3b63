// SPDX-License-Identifier: MIT
// Minimum spanning forest, unique by the total order (weight, low id, high id).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::mst {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// With WeightRule::unit the forest is the lexicographically first spanning forest.
  Weighting weighting;
  /// A maximum spanning forest: the order of weights is reversed, and ties still go to the smaller (low id,
  /// high id).
  bool maximum = false;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t forest_edges = 0;
  std::uint64_t trees = 0;  ///< isolated nodes are trees
  WeightSum weight;
  WeightType weight_type = WeightType::none;  ///< of the forest's edges
  ModelChoice choice;
  std::uint64_t ranges = 1;  ///< number of node ranges
};

/// Finds the forest and sends it to `sink` (may be null). The edges come with their weights if these
/// are stored ones. Loops do not matter, of parallel edges the lightest counts.
/// I/O: the edges once or twice; choice.hpp has the cases. Memory: 4 bytes per
/// node, or per node of a range, and edges of 8 to 24 bytes. Threads: all read, filter and sort; one unites.
/// Throws: UsageError (no weights), DataError (id not below n, weight NaN), MemoryLimitError,
/// EnvironmentError. Source: Osipov, Sanders, Singler (2009), doi 10.1137/1.9781611972894.5; Dementiev,
/// Sanders, Schultes, Sibeyn (2004), doi 10.1007/1-4020-8141-3_17.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options, ForestSink* sink);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::mst
