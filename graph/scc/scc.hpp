// SPDX-License-Identifier: MIT
// Strongly connected components: the smallest id of its component for every node.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::scc {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  /// Most edges in memory at a time; default: as memory holds. For tests.
  std::optional<std::uint64_t> batch_edges = std::nullopt;
  /// Least number of contraction rounds if the model is external; more if memory asks for them. For tests.
  std::size_t least_rounds = 1;
  /// Contracts one large component before anything else. False: for tests.
  bool largest_first = true;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t components = 0;
  std::uint64_t single_nodes = 0;  ///< components of one node
  std::uint64_t largest_component = 0;
  std::uint64_t passes = 0;  ///< readings of the edges that were left; 1 if they fit in memory
  std::uint64_t condensation_edges = 0;
  ModelChoice choice;
};

/// Receives the edges of the condensation: (label, label), ascending, each once, no loops.
template <class Id>
class ArcSink {
 public:
  virtual ~ArcSink() = default;
  virtual void append(std::span<const Edge<Id>> arcs) = 0;
};

/// Two nodes are in one component if each can be reached from the other along edges from source to target.
/// Sends the labels of nodes 0, 1, 2 … to `labels` (may be null), then the condensation to `condensation`
/// (may be null): the graph of the components. Methods: README.md.
/// I/O: internal: the edges once. Semi-external: once, in for each scan that looks for a large component, and
/// out and in for each pass, without those that were dropped. External: the scans, three sorts of the arcs
/// per round, and two of what the round has removed. The condensation sorts the edges once, external three
/// times. Memory: internal 28 bytes per node (ids of 4 bytes) and 12 per edge; semi-external 45 per node and
/// a batch of edges; external blocks and sorters. Threads: all read, scan edges in memory and sort, one
/// searches. Throws: DataError (id not below n), IdTooWide (2^32 - 1 nodes or more with ids of 4 bytes),
/// MemoryLimitError, EnvironmentError.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* labels, ArcSink<Id>* condensation);

/// What run() would do with a source of this size, with a condensation or without (graph/forecast.hpp). The
/// space of the external model is bounded from above, up to three times what is used. I/O: none. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, bool condensation = false);

}  // namespace emgraph::graph::scc
