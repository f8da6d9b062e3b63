// SPDX-License-Identifier: MIT
// Breadth-first search: levels, and parents that do not depend on the method.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/environment.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::bfs {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Edges lead from source to target only; else an edge counts for both ends.
  bool directed = false;
  /// One search from each root, in this order, on one adjacency. Empty: the smallest node with the largest
  /// degree (directed: out-degree), without loops and duplicates.
  std::vector<std::uint64_t> roots = {};
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  std::string input = {};  ///< name of the graph, for messages
};

/// The result of one search.
struct Traversal {
  std::uint64_t root = 0;
  std::uint64_t reached = 0;  ///< number of reached nodes, including the root
  std::uint64_t levels = 0;   ///< number of levels, including level 0
  /// Nodes on each of the first most_counted_levels levels.
  std::vector<std::uint64_t> nodes_per_level;
  std::string method;  ///< how the levels were found
};
inline constexpr std::size_t most_counted_levels = std::size_t{1} << 17;

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  ModelChoice choice;
  std::vector<Traversal> traversals;
};

/// A level as outputs store it, in 4 bytes of which all ones mean "not reached". Throws DataError (a level of
/// 2^32 - 1 or more, on a path of as many nodes).
inline std::uint32_t stored_level(std::uint64_t level) {
  if (level >= ~std::uint32_t{0}) {
    throw core::DataError("found a node on level " + std::to_string(level) +
                          ", expected levels below 4294967295, which fit 4 bytes; search without levels");
  }
  return static_cast<std::uint32_t>(level);
}

/// Receives levels and parents of each search, both one value per node in node order.
template <class Id>
class Outputs {
 public:
  virtual ~Outputs() = default;
  virtual bool wants_levels() const = 0;
  virtual bool wants_parents() const = 0;
  /// Called before a search; returns the sinks of the requested results. Unreached nodes get all ones. The
  /// root is its own parent; every other parent is the smallest neighbour on the level above. The sinks must
  /// live until `close`.
  virtual NodeSink<std::uint32_t>& open_levels(std::uint64_t root, std::uint64_t nodes) = 0;
  virtual NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t nodes) = 0;
  /// Called when the outputs of a search are complete.
  virtual void close() = 0;
};

/// Builds an adjacency of the edges and searches it. `outputs` may be null. Attachments are dropped. I/O:
/// O(sort(m)), only for edges that do not fit into memory, and the reads of the model: internal none,
/// semi-external see page_expansion.hpp and near_levels.hpp, which sorts few edges, external see
/// external.hpp. Memory: 3.5 bits per node, with all of the adjacency or a part of it; external: blocks.
/// Levels and parents take 4 bytes and an id per node where they fit. Threads: all. Throws: UsageError (a
/// root is not below n), DataError (the graph has no nodes, id not below n), MemoryLimitError,
/// EnvironmentError. Source: Beamer, Asanović, Patterson (2012), doi 10.1109/SC.2012.50, for steps bottom up;
/// the external search: external.hpp.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           Outputs<Id>* outputs);

/// The same on an existing adjacency, undirected or of the wanted direction, with its own n.
template <class Id>
Result run(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, const Options& options,
           Outputs<Id>* outputs);

/// The results that a search would write.
struct WantedOutputs {
  bool levels = false;
  bool parents = false;
};

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs);
/// The same for run() on an existing adjacency. I/O: none.
template <class Id>
Forecast forecast(core::Environment& environment, const adjacency::PagedAdjacency<Id>& graph,
                  const Options& options, const WantedOutputs& outputs);

/// True if an existing adjacency suits a search with these options.
inline bool serves(const EdgeFacts& adjacency, const Options& options) {
  return adjacency.symmetric || (options.directed && adjacency.directed);
}

}  // namespace emgraph::graph::bfs
