// SPDX-License-Identifier: MIT
// Connected components: the smallest id of its component for every node.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::cc {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  /// Most nodes of a range of the external model; default: as many as memory holds. For tests.
  std::optional<std::uint64_t> range_nodes = std::nullopt;
};

/// Number and sizes of components.
struct ComponentCount {
  std::uint64_t components = 0;
  std::uint64_t isolated_nodes = 0;     ///< components of one node; a loop does not count
  std::uint64_t largest_component = 0;  ///< nodes in it
  std::uint64_t largest_label = 0;      ///< its label; of equal ones the smallest
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  ComponentCount count;
  ModelChoice choice;
  std::uint64_t ranges = 0;  ///< of nodes; external model only
};

/// Sends the label of nodes 0, 1, 2 … to `sink` (may be null).
/// I/O: the edges once, and nothing else where sizeof(Id) bytes per node fit in memory. External: O(sort(m))
/// and O(n). With n unknown the edges are read twice; an input that comes only once is spooled as far as it
/// does not fit. Memory: an id per node; external: ids of one range of nodes, and blocks. Threads: all.
/// Throws: DataError (id not below n), MemoryLimitError, EnvironmentError (also for ids so sparse that n is
/// not justified, sparse_ids.hpp). Source: Jayanti and Tarjan (2016), doi 10.1145/2933057.2933108, for sets
/// that many threads unite; Dementiev, Sanders, Schultes, Sibeyn (2004), doi 10.1007/1-4020-8141-3_17, for
/// ranges.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options, NodeSink<Id>* sink);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::cc
