// SPDX-License-Identifier: MIT
// The weights of arcs as doubles, and which weights are valid.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "graph/edge_weights.hpp"

namespace emgraph::graph::pagerank {

/// Smaller weights count as 0, and larger ones are refused. So the weights of a node add up to at most 1e290,
/// and a rank divided by the sum is finite.
inline constexpr double least_weight = 1e-270;
inline constexpr double most_weight = 1e270;

/// `bits`: of a stored weight, zero-extended. Integers of more than 53 bits are rounded.
inline double number_of(WeightType type, std::uint64_t bits) {
  switch (type) {
    case WeightType::i64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case WeightType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case WeightType::f64:
      return std::bit_cast<double>(bits);
    case WeightType::none:
    case WeightType::u32:
      break;
  }
  return static_cast<double>(bits);
}

/// False for NaN, too.
inline bool valid_weight(WeightType type, std::uint64_t bits) {
  const double weight = number_of(type, bits);
  return weight >= 0 && weight <= most_weight;
}

inline constexpr WeightLimits weight_limits = {
    .valid = valid_weight, .expected = "a number from 0 to 1e270", .of_loops = true};

/// The valid weight at the start of an attachment, 0 if it is below least_weight.
inline double weight_at(WeightType type, const std::byte* attachment) {
  std::uint64_t bits = 0;
  if (weight_bytes(type) == 4) {
    std::uint32_t narrow = 0;
    std::memcpy(&narrow, attachment, sizeof narrow);
    bits = narrow;
  } else {
    std::memcpy(&bits, attachment, sizeof bits);
  }
  const double weight = number_of(type, bits);
  return weight < least_weight ? 0 : weight;
}

}  // namespace emgraph::graph::pagerank
