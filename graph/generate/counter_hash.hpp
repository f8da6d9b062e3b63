// SPDX-License-Identifier: MIT
// Counter-based random words: word i of a stream is a hash of (stream key, i), so threads share no state.
#pragma once

#include <cstdint>

#include "core/base/integers.hpp"
#include "core/base/random_word.hpp"

namespace emgraph::graph::generate {

using core::golden_increment;

/// Word `index` of the stream `key`. Words 0, 1, 2 … are the outputs of SplitMix64 started at `key`.
constexpr std::uint64_t counter_word(std::uint64_t key, std::uint64_t index) {
  return core::mix_word(key + index * golden_increment);
}

/// The use of a stream. The numbers determine the generated graphs and must not change.
enum class Purpose : std::uint64_t {
  random_edge = 1,
  random_target = 2,
  kronecker_scramble = 3,
  kronecker_level = 4,
  gnm_tree = 5,
  weight = 6,
  payload = 7,
};

/// Key of one stream. All streams are windows of one cycle of 2^64 words, at hashed positions: two windows of
/// m words overlap with probability 2m / 2^64.
constexpr std::uint64_t stream_key(std::uint64_t seed, Purpose purpose, std::uint64_t part = 0) {
  const std::uint64_t base =
      core::mix_word(core::mix_word(seed + golden_increment) ^ (static_cast<std::uint64_t>(purpose) << 56));
  return core::mix_word(base + part * golden_increment);
}

/// Upper half of the 128-bit product: maps a random word to [0, bound) (Lemire 2019, doi 10.1145/3230636).
constexpr std::uint64_t multiply_high(std::uint64_t word, std::uint64_t bound) {
  return static_cast<std::uint64_t>((core::uint128{word} * bound) >> 64);
}

/// Words of one stream in order, for samplers that need an unknown number of them.
class WordStream {
 public:
  explicit constexpr WordStream(std::uint64_t key) : key_(key) {}
  constexpr std::uint64_t next() { return counter_word(key_, index_++); }
  /// Uniform double strictly between 0 and 1: odd multiples of 2^-53.
  constexpr double next_unit() { return static_cast<double>((next() >> 12) * 2 + 1) * 0x1p-53; }

 private:
  std::uint64_t key_;
  std::uint64_t index_ = 0;
};

}  // namespace emgraph::graph::generate
