// SPDX-License-Identifier: MIT
// The packed edge of the Graph500 reference code: two ids of 48 bits in 12 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/io/codec_pairs.hpp"

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

}  // namespace emgraph::graph::format
