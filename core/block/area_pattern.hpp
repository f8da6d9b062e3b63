// SPDX-License-Identifier: MIT
// Bytes that tell where they belong and cannot be compressed: what a disk is measured with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// Word i of page p is word i of a pool's page XOR a hash of (seed, p): random to any compressor, different
/// in every page, and made and checked at the speed of the memory. A page that is misplaced, stale, or torn
/// at a word is found. Memory: 64 KiB. Threads: any number at once.
class AreaPattern {
 public:
  AreaPattern(MemoryBudget& budget, std::uint64_t seed);

  /// Requires, here and below: offsets and sizes are multiples of a page.
  void fill(std::uint64_t offset, std::span<std::byte> to) const;
  /// Offset of the first word in `bytes`, which were read from `offset`, that is not what fill() makes it.
  std::optional<std::uint64_t> first_difference(std::uint64_t offset, std::span<const std::byte> bytes) const;

 private:
  Array<std::uint64_t> pool_;
  std::uint64_t seed_;
};

}  // namespace emgraph::core
