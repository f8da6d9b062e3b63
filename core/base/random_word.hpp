// SPDX-License-Identifier: MIT
// Random words by seed and index.
#pragma once

#include <cstdint>

namespace emgraph::core {

/// Word `index` of a stream of random words: SplitMix64 started at `seed` (Steele, Lea, Flood 2014,
/// doi 10.1145/2660193.2660195).
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace emgraph::core
