// SPDX-License-Identifier: MIT
// The sizes of rows and of what exists while they are made (build_rows.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emgraph::graph::adjacency {

/// What the row of a node holds.
enum class RowsOf : std::uint8_t {
  neighbours,  ///< the other ends of its edges
  targets,     ///< those of edges from it
  sources,     ///< those of edges to it
};

struct RowsOptions {
  RowsOf rows = RowsOf::neighbours;
  bool loops = false;  ///< a loop is an entry of its node; else it is none
  /// Rows ascend, without duplicates. Else their order depends on the threads. The largest degree counts no
  /// duplicates in any case.
  bool simple = true;
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< declared; ids must be below it
  std::uint64_t beside_bytes_per_node = 0;            ///< that the caller needs beside the rows
  std::uint64_t beside_bytes = 0;                     ///< and what it needs for any number of nodes
  std::size_t entry_bytes = sizeof(std::uint32_t);    ///< of an entry in its row
};

/// The arrays that rows are made in. `pieces` pieces of `piece` places are taken one after another, each by a
/// thread for a bucket of nodes.
struct RowsShape {
  std::uint64_t nodes = 0;
  unsigned shift = 0;         ///< row_shift(), of a guess of n if n is not known
  std::uint64_t below = 0;    ///< a bound of the ids that are read
  std::uint64_t entries = 0;  ///< at most
  std::size_t entry_bytes = 0;
  std::size_t offset_bytes = 0;
  unsigned threads = 0;
  std::uint64_t piece = 0;
  std::uint64_t pieces = 0;
};
/// Sets `piece` and `pieces` from the others.
void cut_pieces(RowsShape& shape);

/// Bytes of the rows, and at most those that exist at once while they are made.
struct RowsBytes {
  std::uint64_t rows = 0;
  std::uint64_t construction = 0;
};
RowsBytes rows_bytes(const RowsShape& shape);
/// True if most nodes have no neighbours: what is done for each node then costs more than a sort.
bool rows_are_sparse(std::uint64_t nodes, std::uint64_t entries);
/// True if they fit into `free` bytes, with what the caller needs beside them.
bool rows_fit(const RowsBytes& bytes, std::uint64_t nodes, const RowsOptions& options, std::uint64_t free);

inline constexpr std::uint64_t most_row_nodes = std::uint64_t{1} << 31;
inline constexpr std::uint64_t most_entries_of_bucket = 0xffffffff;  ///< they are counted in 32 bits

/// Nodes v with the same v >> row_shift(n, m) form a bucket. Its rows fit a second-level cache, and so do the
/// buffers of all buckets.
unsigned row_shift(std::uint64_t nodes, std::uint64_t entries);
std::size_t row_buckets(std::uint64_t nodes, unsigned shift);
/// Of the copies of buckets that threads work on, all together.
std::uint64_t row_copies_bytes(std::uint64_t entries, std::size_t entry_bytes);

}  // namespace emgraph::graph::adjacency
