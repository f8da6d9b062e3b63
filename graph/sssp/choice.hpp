// SPDX-License-Identifier: MIT
// Which memory model a run of `sssp` takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// The numbers known so far.
struct Demand {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> entries;  ///< arcs of the adjacency, or an upper bound
  std::size_t id_bytes = 4;
  std::size_t arc_bytes = 8;  ///< of an arc in memory
  bool parents = false;
  bool built = false;  ///< the adjacency exists: nothing has to be sorted
  unsigned threads = 1;
  std::size_t memory_bytes = 0;  ///< free memory for the solver
};

/// Bytes of the parts and of the models; saturating. Unknown numbers count as 0.
struct Needs {
  std::uint64_t rows = 0;     ///< arcs in memory; twice if queries need the reversed ones
  std::uint64_t words = 0;    ///< a distance per node
  std::uint64_t nodes = 0;    ///< what else an internal run keeps per node: queue or parents, landmarks
  std::uint64_t buffers = 0;  ///< chunks of pages and small reservations
  std::uint64_t internal = 0;
  std::uint64_t semi_external = 0;
};
Needs needs(const Demand& demand, const Options& options);

/// True if queries need the reversed arcs.
inline bool needs_reversed(const Options& options) {
  return !options.queries.empty() && options.directed &&
         (options.bidirectional || options.paths || options.landmarks > 0);
}

/// The model for a demand. Called before reading, when some numbers are unknown, and again when they are
/// known; the second result counts. Throws MemoryLimitError if a forced model does not fit.
ModelChoice choose(const Demand& demand, const Options& options);
/// The internal model, for rows that are made.
ModelChoice internal_choice(const Demand& demand, const Options& options);

/// Throws DataError if there are no nodes, UsageError if a root, or the node of a query, is not a node.
void check_nodes(const Options& options, std::uint64_t nodes);

}  // namespace emgraph::graph::sssp
