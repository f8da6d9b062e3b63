// SPDX-License-Identifier: MIT
// PageRank as LDBC Graphalytics defines it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::pagerank {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  bool undirected = false;  ///< an edge is an arc each way; a loop is one arc
  /// A node shares its rank among its arcs in proportion to their weights (arc_weights.hpp), not evenly. The
  /// edges must carry weights.
  bool weighted = false;
  double damping = 0.85;  ///< 0 <= damping < 1
  /// Rounds. Default: until the tolerance is met.
  std::optional<std::uint64_t> iterations = std::nullopt;
  /// Ends the rounds when their L1 change is below it; above 0. Default: 1e-6, or none with `iterations`.
  std::optional<double> tolerance = std::nullopt;
  /// Ascending, without duplicates, below n. If there are any, rank starts at them, and what all nodes would
  /// share goes to them (personalised PageRank). They outlive the run.
  std::span<const std::uint64_t> sources = {};
  std::string sources_file = "the list of sources";  ///< its name, for messages
  /// Most source nodes of a range (rounded down to a power of two); default: as memory holds. For tests.
  std::optional<std::uint64_t> range_nodes = std::nullopt;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t arcs = 0;
  std::uint64_t iterations = 0;
  double residual = 0;  ///< L1 change of the last round
  double sum = 0;       ///< of the ranks
  ModelChoice choice;
  std::uint64_t ranges = 0;  ///< of source nodes; unless internal
};

/// PR_0(v) = 1/n; PR_i(v) = (1-d)/n + d · (sum over arcs u -> v of PR_{i-1}(u) / outdegree(u) + dangling/n),
/// where `dangling` is the rank of all nodes without outgoing arcs. Parallel arcs and loops count as stored.
/// With k `sources` they get 1/k in place of 1/n, other nodes 0. If weighted, an arc gets its weight / (sum
/// of the weights of u) in place of 1 / outdegree(u), and nodes whose sum is 0 count as nodes without arcs.
/// Sends the bits of doubles, the ranks of nodes 0, 1, 2 … to `sink` (may be null). Their arithmetic, its
/// error bound and its source: fixed_point.hpp.
/// I/O: the edges once (a second time if ids are larger than a sample suggests), the sort of m arcs by
/// target; then per round, semi-external: 4 m + 32 n bytes and 8 per target; external with k ranges 16 (k -
/// 1) n more; weights 8 m more. Memory: internal 40 bytes per node, and an id per arc, with its weight 8
/// bytes more; else 8 bytes per node of a range, and blocks. Threads: all for the sort and for internal
/// rounds; other rounds one, beside the disks. Throws: DataError (id or source not below n; a weight that is
/// negative, NaN or above 1e270), MemoryLimitError, EnvironmentError.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<std::uint64_t>* sink);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::pagerank
