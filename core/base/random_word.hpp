// SPDX-License-Identifier: MIT
// Random words by seed and index.
#pragma once

#include <cstdint>

namespace emgraph::core {

/// Constants of SplitMix64 (Steele, Lea, Flood 2014, doi 10.1145/2660193.2660195): the increment of its state
/// per word, 2^64 / golden ratio, and the multipliers of mix_word.
inline constexpr std::uint64_t golden_increment = 0x9e3779b97f4a7c15u;
inline constexpr std::uint64_t mix_multiplier_1 = 0xbf58476d1ce4e5b9u;
inline constexpr std::uint64_t mix_multiplier_2 = 0x94d049bb133111ebu;

/// SplitMix64's finalizer (Stafford's variant 13), a bijection of 64-bit words.
constexpr std::uint64_t mix_word(std::uint64_t word) {
  word = (word ^ (word >> 30)) * mix_multiplier_1;
  word = (word ^ (word >> 27)) * mix_multiplier_2;
  return word ^ (word >> 31);
}

/// Word `index` of a stream of random words: SplitMix64 started at `seed`.
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t index) {
  return mix_word(seed + (index + 1) * golden_increment);
}

}  // namespace emgraph::core
