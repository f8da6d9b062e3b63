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
  std::size_t entry_bytes = sizeof(std::uint32_t);    ///< of an entry in its row
};

/// Bytes of the rows, and at most those that exist at once while they are made.
struct RowsBytes {
  std::uint64_t rows = 0;
  std::uint64_t construction = 0;
};
/// `shift`: row_shift(). `entries`: of all rows, at most.
RowsBytes rows_bytes(std::uint64_t nodes, unsigned shift, std::uint64_t entries, std::size_t entry_bytes,
                     std::size_t offset_bytes, unsigned threads);
/// True if most nodes have no neighbours: what is done for each node then costs more than a sort.
bool rows_are_sparse(std::uint64_t nodes, std::uint64_t entries);
/// True if they fit into `free` bytes, with what the caller needs beside them.
bool rows_fit(const RowsBytes& bytes, std::uint64_t nodes, const RowsOptions& options, std::uint64_t free);

inline constexpr std::uint64_t most_row_nodes = std::uint64_t{1} << 31;

/// Nodes v with the same v >> row_shift(n) form a bucket. Its rows fit a second-level cache, and so do the
/// buffers of all buckets.
unsigned row_shift(std::uint64_t nodes);
std::size_t row_buckets(std::uint64_t nodes, unsigned shift);
/// Places that a thread takes at once in a bucket: few enough that the unused ones are a sixteenth of all.
std::uint64_t row_piece(std::uint64_t entries, std::size_t buckets, unsigned threads);
/// Of the copies of buckets that threads work on, all together.
std::uint64_t row_copies_bytes(std::uint64_t entries, std::size_t entry_bytes);

}  // namespace emgraph::graph::adjacency
