// SPDX-License-Identifier: MIT
// Lengths of arcs and distances as 64-bit words, for integers and for floating-point numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "graph/weighting.hpp"

namespace emgraph::graph::sssp {

/// Integer lengths: a distance is their sum, below 2^64 - 1.
struct IntegerDistances {
  static constexpr bool floating = false;
  static constexpr std::uint64_t unreached = ~std::uint64_t{0};

  /// The distance at the end of an arc; `unreached` if it does not fit.
  static std::uint64_t add(std::uint64_t distance, std::uint64_t length) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(distance, length, &sum) ? unreached : sum;
  }
};

/// Floating-point lengths: words are the bits of doubles that are not negative, so their order as integers is
/// that of the numbers. Sums are rounded to nearest; they never fall when a summand grows, so that the least
/// fixed point of d(v) = min d(u) + w is unique.
struct FloatDistances {
  static constexpr bool floating = true;
  static constexpr std::uint64_t unreached =
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());

  static std::uint64_t add(std::uint64_t distance, std::uint64_t length) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(distance) + std::bit_cast<double>(length));
  }
};

constexpr bool is_floating(WeightType type) {
  return type == WeightType::f32 || type == WeightType::f64;
}

/// The word that stands for an unreached node.
constexpr std::uint64_t unreached_word(WeightType type) {
  return is_floating(type) ? FloatDistances::unreached : IntegerDistances::unreached;
}

/// The distance at the end of an arc, for code that waits for disks anyway.
inline std::uint64_t distance_after(WeightType type, std::uint64_t distance, std::uint64_t length) {
  return is_floating(type) ? FloatDistances::add(distance, length) : IntegerDistances::add(distance, length);
}

/// Calls work(IntegerDistances{}) or work(FloatDistances{}).
template <class Work>
decltype(auto) with_distances(WeightType type, Work&& work) {
  return is_floating(type) ? work(FloatDistances{}) : work(IntegerDistances{});
}

/// The word of a stored weight (its bits, zero-extended). Requires: valid_length(type, bits).
inline std::uint64_t length_of(WeightType type, std::uint64_t bits) {
  if (type == WeightType::f32) {
    const double length = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return std::bit_cast<std::uint64_t>(length) & ~(std::uint64_t{1} << 63);  // -0.0 is 0.0
  }
  return type == WeightType::f64 ? bits & ~(std::uint64_t{1} << 63) : bits;
}

/// True for weights that an arc on a path may have: not negative, not NaN, not infinite. -0.0 is valid.
inline bool valid_length(WeightType type, std::uint64_t bits) {
  switch (type) {
    case WeightType::i64:
      return static_cast<std::int64_t>(bits) >= 0;
    case WeightType::f32: {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      return value >= 0 && value <= std::numeric_limits<float>::max();
    }
    case WeightType::f64: {
      const double value = std::bit_cast<double>(bits);
      return value >= 0 && value <= std::numeric_limits<double>::max();
    }
    case WeightType::none:
    case WeightType::u32:
      return true;
  }
  return false;
}

}  // namespace emgraph::graph::sssp
