// SPDX-License-Identifier: MIT
// Which memory model a run of `bfs` takes, and how it divides its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/bfs/bfs.hpp"

namespace emgraph::graph::bfs {

/// The numbers known so far.
struct Demand {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> entries;  ///< entries of the adjacency, or an upper bound
  std::size_t id_bytes = 4;
  bool levels = false;
  bool parents = false;
  bool built = false;  ///< the adjacency exists: nothing has to be sorted
  unsigned threads = 1;
  std::size_t memory_bytes = 0;  ///< free memory for the solver
};

/// Bytes of the parts and of the models; saturating. Unknown numbers count as 0.
struct Needs {
  std::uint64_t state = 0;          ///< three bits per node, lists of nodes
  std::uint64_t outputs = 0;        ///< levels and parents as arrays
  std::uint64_t least_outputs = 0;  ///< the same, sorted externally
  std::uint64_t rows = 0;           ///< the adjacency uncompressed
  std::uint64_t pages = 0;          ///< the adjacency compressed, estimated
  std::uint64_t internal = 0;
  std::uint64_t semi_external = 0;
};
Needs needs(const Demand& demand);

/// The model for a demand. Called before reading, when some numbers are unknown, and again when they are
/// known; the second result counts. Throws MemoryLimitError if a forced model does not fit.
ModelChoice choose(const Demand& demand, const Options& options);
/// The internal model and why, for a demand whose numbers are known.
ModelChoice internal_choice(const Demand& demand, const Options& options);

/// True if an internal run makes rows of sorted edges or of an adjacency; else it keeps all compressed pages
/// in memory. Rows are faster to search and take longer to make this way, so they save time from some number
/// of roots on. A forced internal model always uses rows. Without a sort rows are faster to make, too:
/// build_rows().
// Measured: kron22, 128 M entries, kept adjacency, 2 cores: rows 0.6 s to unpack (mostly the kernel clearing
// 513 MB of pages) and 0.04 s a search; pages 0.25 s to read and 0.10 s a search.
inline bool wants_rows(const Options& options) {
  constexpr std::size_t many_roots = 6;
  return options.model == MemoryModel::internal || options.roots.size() >= many_roots;
}

/// Throws DataError if there are no nodes, UsageError if a root is not a node.
void check_roots(const Options& options, std::uint64_t nodes);

/// True if levels and parents are kept as arrays.
bool outputs_in_memory(const Demand& demand);
/// Memory for the sort of each of them, if they are not kept as arrays.
std::size_t output_sort_bytes(const Demand& demand);

/// Bytes of the pages to keep in memory while they are built: all or none.
std::size_t resident_bytes(const Demand& demand);

}  // namespace emgraph::graph::bfs
