// SPDX-License-Identifier: MIT
// Codecs for blocks of integer pairs: none, delta, zstd, delta+zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/io/codec_pairs.hpp"
#include "core/io/codec_zstd.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

enum class Codec : std::uint8_t { none = 0, delta = 1, zstd = 2, delta_zstd = 3 };

constexpr bool uses_delta(Codec codec) {
  return codec == Codec::delta || codec == Codec::delta_zstd;
}
constexpr bool uses_zstd(Codec codec) {
  return codec == Codec::zstd || codec == Codec::delta_zstd;
}

/// A codec and its effort. Level: zstd's, 1 to 19. On delta data 3 gave the same size as 1 (table at
/// PairEncoder).
struct CodecChoice {
  Codec codec = Codec::none;
  int level = 1;
};

/// "none", "delta", "zstd", "zstd:5", "delta+zstd", "delta+zstd:3". Throws UsageError.
CodecChoice parse_codec(std::string_view text);
std::string format_codec(const CodecChoice& choice);

/// Encodes blocks of at most `max_count` rows. Not thread-safe. Memory is reserved on construction.
///
/// Measured: blocks of 131,072 pairs of 4-byte integers (8 bytes a pair), one core of an AMD EPYC, shared
/// machine; bytes per pair, ns per pair encode / decode:
///                 random, 6.25 per first   Kronecker, scale 20   grid              shuffled
///   delta         3.15  6.0 / 3.5          2.04  4.2 / 3.1       2.00  2.9 / 1.8   6.07   4.6 / 5.2
///   zstd          5.46  9.1 / 4.1          2.30 14.3 / 7.2       2.99 14.5 / 5.8   6.35   6.7 / 3.6
///   delta+zstd    2.92  8.4 / 5.2          1.86  5.8 / 5.0       0.00  3.0 / 1.8   6.07  10.4 / 5.0
///   delta+zstd:3  2.92  8.8 / 5.2          1.86  6.0 / 4.2       0.00  2.9 / 1.8   6.07  10.0 / 5.2
class PairEncoder {
 public:
  PairEncoder(MemoryBudget& budget, const CodecChoice& choice, const PairLayout& layout,
              std::size_t max_count);

  struct Encoded {
    Codec codec = Codec::none;         ///< the one used: a step that does not shrink the block is left out
    std::span<const std::byte> bytes;  ///< valid until the next call; codec none: the input itself
    std::size_t plain_bytes = 0;       ///< size before zstd; without zstd bytes.size()
  };
  Encoded encode(std::span<const std::byte> rows);

  /// Bytes that construction reserves.
  static std::size_t memory_bytes(const CodecChoice& choice, const PairLayout& layout, std::size_t max_count);

 private:
  CodecChoice choice_;
  PairLayout layout_;
  Buffer delta_;
  Buffer compressed_;
  std::optional<ZstdCompressor> zstd_;
};

/// Decodes blocks of at most `max_count` rows. Not thread-safe. Memory is reserved on construction; zstd's
/// only if `zstd` is true.
class PairDecoder {
 public:
  PairDecoder(MemoryBudget& budget, const PairLayout& layout, std::size_t max_count, bool zstd);

  /// Writes `count` rows to `out`. Returns "" or the error in `stored`; `out` may then be partly written.
  /// Never reads or writes out of bounds, whatever the bytes of `stored`. Requires: count <= max_count.
  std::string_view decode(Codec codec, std::span<const std::byte> stored, std::size_t plain_bytes,
                          std::size_t count, const PairShape& shape, std::byte* out);

 private:
  PairLayout layout_;
  Buffer plain_;
  std::optional<ZstdDecompressor> zstd_;
};

}  // namespace emgraph::core
