// SPDX-License-Identifier: MIT
// Maximal independent set: the lexicographically first one, by node id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::mis {

/// Where the messages of members to their larger neighbours wait.
///   bitmap: in one bit per node in memory. ranges: in the bits of one range of nodes in memory, and in
///   blocks for each later range. heap: in an external sequence heap (time-forward processing).
enum class Queue { automatic, bitmap, ranges, heap };

struct Options {
  MemoryModel model = MemoryModel::automatic;
  Queue queue = Queue::automatic;
  /// The STXXL paper's listing to the letter: edges as stored, sources only. Gives another set.
  bool directed_scan = false;
  /// With the bitmap: edges with an excluded end need not be sorted. Reads the input several times if that
  /// saves sorting (n known, input that can be read again). False: sorts all edges.
  bool passes = true;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t mis_size = 0;
  ModelChoice choice;
  std::string queue;               ///< "bitmap", "ranges", "heap"
  unsigned passes = 1;             ///< number of times the input was read
  std::string passes_reason = {};  ///< the reason for several passes; empty for one
};

/// Computes the lexicographically first set, in which a node is iff no smaller neighbour is, and sends its
/// ids, ascending, to `sink` (may be null). Attachments travel through the sort, as the paper's edges of 16
/// bytes do, and are dropped then. I/O: O(sort(m)), spilled by the sort only as far as the edges do not fit.
/// Memory: a bit per node; of a range of nodes, and blocks; or a sequence heap; the rest for the sort.
/// Threads: all read and sort, one scans. Throws: DataError (id not below n), MemoryLimitError,
/// EnvironmentError. Source: Dementiev, Kettner, Sanders (2008), doi 10.1002/spe.844.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options, NodeSink<Id>* sink);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::mis
