// SPDX-License-Identifier: MIT
// Packed edges of the Graph500 benchmark (two ids of 48 bits in 12 bytes) as one of the edge formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/io/codec_pairs.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Little-endian: source's low 32 bits, target's low 32 bits, source's high 16, target's high 16. Ids are
/// signed; negative ids mark invalid edges. Source: graph500/graph500, generator/graph_generator.h,
/// packed_edge.
inline constexpr std::size_t packed_edge_bytes = 12;
/// All ids must be below this.
inline constexpr std::uint64_t packed_id_limit = std::uint64_t{1} << 47;

/// Converts packed edges, read from `offset` of `file`, to records with zero attachments. Throws DataError
/// for a negative id, IdTooWide for an id that needs more than `id_bytes` (4 or 8).
void unpack_edges(const std::string& file, std::uint64_t offset, std::span<const std::byte> edges,
                  std::size_t id_bytes, const core::PairShape& shape, std::byte* records);

/// Converts records to packed edges. Returns the number of the first record with an id not below
/// packed_id_limit (the records before it are written), nullopt if there is none.
std::optional<std::size_t> pack_edges(const core::PairShape& shape, const std::byte* records,
                                      std::size_t count, std::byte* edges);

/// Opens a file or a pipe. Ids have 4 bytes unless the options request 8 (IdTooWide if one is larger).
Opened open_graph500(core::Environment& environment, core::InputFile input, const Format& format,
                     const OpenOptions& options);
/// Drops weights and payload. Appending an id of at least 2^47 throws DataError.
std::unique_ptr<EdgeWriter> create_graph500(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
