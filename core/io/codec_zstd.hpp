// SPDX-License-Identifier: MIT
// zstd for blocks in memory. Its working memory is charged to the budget.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "core/memory/budget.hpp"

namespace emgraph::core {

inline constexpr int zstd_max_level = 19;

/// Compresses blocks of at most `max_bytes`. Not thread-safe. Throws MemoryLimitError on construction.
class ZstdCompressor {
 public:
  ZstdCompressor(MemoryBudget& budget, int level, std::size_t max_bytes);
  ~ZstdCompressor();
  ZstdCompressor(ZstdCompressor&&) noexcept;
  /// Returns the bytes written to `out`, or 0 if the result does not fit.
  std::size_t compress(std::span<const std::byte> in, std::span<std::byte> out);
  /// Bytes that construction reserves.
  static std::size_t memory_bytes(int level, std::size_t max_bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Decompresses single frames. Not thread-safe. Throws MemoryLimitError on construction.
class ZstdDecompressor {
 public:
  explicit ZstdDecompressor(MemoryBudget& budget);
  ~ZstdDecompressor();
  ZstdDecompressor(ZstdDecompressor&&) noexcept;
  /// Decompresses all of `in` to all of `out`. Returns "" or the error.
  std::string_view decompress(std::span<const std::byte> in, std::span<std::byte> out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
