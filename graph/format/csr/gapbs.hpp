// SPDX-License-Identifier: MIT
// The serialized graphs of the GAP benchmark suite (.sg, .wsg) as one of the edge formats.
#pragma once

#include <cstdint>
#include <memory>

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

}  // namespace emgraph::graph::format
