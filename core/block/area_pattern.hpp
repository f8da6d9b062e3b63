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

/// Word `index` of a stream of random words: SplitMix64 started at `seed` (Steele, Lea, Flood 2014,
/// doi 10.1145/2660193.2660195).
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace emgraph::core
