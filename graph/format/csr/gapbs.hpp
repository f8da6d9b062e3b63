// SPDX-License-Identifier: MIT
// The serialized graphs of the GAP benchmark suite (.sg, .wsg) as one of the edge formats.
#pragma once

#include <cstdint>
#include <memory>

#include "core/spill/spill_forecast.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Little-endian, no padding: u8 directed, i64 entries, i64 nodes, i64 offsets[nodes + 1], then `entries` of
/// i32 neighbour (.sg) or {i32 neighbour, i32 weight} (.wsg). In directed graphs offsets and neighbours of
/// the reversed edges follow. Undirected graphs contain each edge in both directions. Source: sbeamer/gapbs,
/// src/writer.h, src/reader.h.
inline constexpr std::uint64_t gapbs_head_bytes = 17;
/// Node ids are i32.
inline constexpr std::uint64_t gapbs_most_nodes = (std::uint64_t{1} << 31) - 1;

/// Opens regular files only. Neighbours must ascend, as the suite's converter writes them (else DataError),
/// except in the formats "sg-unsorted" and "wsg-unsorted". Weights become i64.
Opened open_gapbs(core::Environment& environment, core::InputFile input, const Format& format,
                  const OpenOptions& options);
std::unique_ptr<EdgeWriter> create_gapbs(const Creation& creation, const Format& format);

/// Edges must have the declared facts of directed_adjacency() (edge_writer.hpp). Method: both parts of the
/// file are spooled to the temporary disks, because sizes and offsets precede them in the file. A directed
/// graph is then read back and sorted by target for its second half. I/O: writes and reads 4 or 8 bytes per
/// edge and 8 per node; directed: three times, and a sort. Memory: some blocks (CsrSpool); directed: all free
/// memory, in finish(). Threads: one appends. Throws: DataError (an id from 2^31 - 1 on or not below the
/// declared n, a weight that is not an i32), EnvironmentError, MemoryLimitError, std::logic_error as
/// AdjacencyWriter.
std::unique_ptr<EdgeWriter> make_gapbs_writer(const Creation& creation, bool weighted);

/// A graph that is written: an upper bound of its size.
struct GapbsSize {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< appended
  bool weighted = false;
  bool directed = false;

  std::uint64_t entry_bytes() const { return weighted ? 8 : 4; }
  /// Of the offsets and neighbours of one direction.
  std::uint64_t part_bytes() const {
    return core::size_sum(core::size_product(nodes + 1, 8), core::size_product(edges, entry_bytes()));
  }
  std::uint64_t file_bytes() const {
    return core::size_sum(gapbs_head_bytes, core::size_product(part_bytes(), directed ? 2 : 1));
  }
};

/// Space on the temporary disks that a writer takes.
struct GapbsSpace {
  std::uint64_t appended_bytes = 0;    ///< after all edges
  core::SpillForecast finishing = {};  ///< at most in finish()
  std::uint64_t finish_moves = 0;      ///< bytes that finish() reads and writes there, expected
};

/// For a forecast, while a writer that got no edges exists: reserves the memory that its finish() would take.
GapbsSpace rehearse_gapbs(core::Environment& environment, const GapbsSize& size);

}  // namespace emgraph::graph::format
