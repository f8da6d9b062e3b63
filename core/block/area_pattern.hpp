// SPDX-License-Identifier: MIT
// Incompressible test data for disks; each page identifies its own offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// Word i of page p is word i of a page of a random pool, XOR a hash of (seed, p). So no compressor can
/// shrink the data, every page is different, and data is made and checked at the speed of the memory. A
/// misplaced, stale or torn page is detected. Memory: 64 KiB. Threads: any number at once.
class AreaPattern {
 public:
  AreaPattern(MemoryBudget& budget, std::uint64_t seed);

  /// Requires, for both functions: offsets and sizes are multiples of a page.
  void fill(std::uint64_t offset, std::span<std::byte> to) const;
  /// Offset of the first word in `bytes`, which were read from `offset`, that differs from fill()'s.
  std::optional<std::uint64_t> first_difference(std::uint64_t offset, std::span<const std::byte> bytes) const;

 private:
  Array<std::uint64_t> pool_;
  std::uint64_t seed_;
};

}  // namespace emgraph::core
