// SPDX-License-Identifier: MIT
// Which memory model a run of `bfs` takes: arithmetic on declared bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/bfs/bfs.hpp"

namespace emgraph::graph::bfs {

/// What is known so far.
struct Demand {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> entries;  ///< of the adjacency, or an upper bound
  std::size_t id_bytes = 4;
  bool levels = false;
  bool parents = false;
  bool built = false;  ///< the adjacency is there: nothing has to be sorted
  unsigned threads = 1;
  std::size_t memory_bytes = 0;  ///< free for the solver
};

/// Bytes, by model. What is not known counts as nothing.
struct Needs {
  std::uint64_t state = 0;          ///< three bits per node, lists of nodes
  std::uint64_t outputs = 0;        ///< levels and parents as arrays
  std::uint64_t least_outputs = 0;  ///< the same sorted externally
  std::uint64_t rows = 0;           ///< the adjacency uncompressed
  std::uint64_t pages = 0;          ///< the adjacency compressed, about
  std::uint64_t internal = 0;
  std::uint64_t semi_external = 0;
};
Needs needs(const Demand& demand);

/// The model for a demand. Asked before reading, when some numbers are unknown, and again when they are
/// known; the second answer holds. Throws MemoryLimitError: a forced model does not fit.
ModelChoice choose(const Demand& demand, const Options& options);

/// Are levels and parents kept as arrays?
bool outputs_in_memory(const Demand& demand);
/// Else the memory for the sort of each.
std::size_t output_sort_bytes(const Demand& demand);

/// Pages to keep in memory while they are built: all or none.
std::size_t resident_bytes(const Demand& demand);

}  // namespace emgraph::graph::bfs
