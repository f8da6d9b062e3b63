// SPDX-License-Identifier: MIT
// Packs a block of text as a gzip member, a zstd frame, or a stream of xz or bzip2, which can be unpacked
// independently.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "graph/format/packing/text_stream.hpp"

namespace emgraph::graph::format {

/// Not thread-safe.
class BlockPacker {
 public:
  virtual ~BlockPacker() = default;
  /// Returns the bytes written. Requires: out.size() >= packed_bound of the packing.
  virtual std::size_t pack(std::span<const std::byte> text, std::span<std::byte> out) = 0;
};

/// "gzip", "zstd", "xz", "bzip2".
std::string_view packing_name(Packing packing);
/// gzip 6, zstd 3, xz 6, bzip2 9: the defaults of gzip(1), zstd(1), xz(1) and bzip2(1).
int default_packing_level(Packing packing);
/// zstd 19, others 9.
int most_packing_level(Packing packing);

/// A packer of blocks. Throws UsageError if this build lacks the library.
std::unique_ptr<BlockPacker> make_block_packer(Packing packing, int level);
/// Bytes that make_block_packer allocates; the caller must reserve them.
std::size_t block_packer_bytes(Packing packing, int level, std::size_t block_bytes);
/// Greatest packed size of a block of `block_bytes`.
std::size_t packed_bound(Packing packing, std::size_t block_bytes);

}  // namespace emgraph::graph::format
