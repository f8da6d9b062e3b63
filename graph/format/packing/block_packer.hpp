// SPDX-License-Identifier: MIT
// Packs a block of text as a gzip member or a zstd frame, which can be unpacked independently.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "graph/format/packing/text_stream.hpp"

namespace emgraph::graph::format {

/// Not thread-safe.
class BlockPacker {
 public:
  virtual ~BlockPacker() = default;
  /// Returns the bytes written. Requires: out.size() >= packed_bound of the packing.
  virtual std::size_t pack(std::span<const std::byte> text, std::span<std::byte> out) = 0;
};

/// gzip 6, zstd 3: the defaults of gzip(1) and zstd(1).
int default_packing_level(Packing packing);
/// gzip 9, zstd 19.
int most_packing_level(Packing packing);

/// A packer of blocks. Throws UsageError for gzip in a build without zlib.
std::unique_ptr<BlockPacker> make_block_packer(Packing packing, int level);
/// Bytes that make_block_packer allocates; the caller must reserve them.
std::size_t block_packer_bytes(Packing packing, int level, std::size_t block_bytes);
/// Greatest packed size of a block of `block_bytes`.
std::size_t packed_bound(Packing packing, std::size_t block_bytes);

}  // namespace emgraph::graph::format
