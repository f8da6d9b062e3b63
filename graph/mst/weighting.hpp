// SPDX-License-Identifier: MIT
// Where the weights of a graph come from, and weights as integers that order as they do.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/integers.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::mst {

/// stored: the edges carry them. hash: ((low · 2654435761 xor high · 40503) mod modulus) + 1 in 64-bit
/// arithmetic. unit: all 1, so that the forest is the lexicographically first one.
enum class WeightRule { stored, hash, unit };

struct Weighting {
  WeightRule rule = WeightRule::stored;
  std::uint64_t modulus = 1000;  ///< of hash: 1 … 2^32 - 1

  /// Type of the weights of edges that carry weights of type `stored`.
  WeightType type(WeightType stored) const { return rule == WeightRule::stored ? stored : WeightType::u32; }
};

/// The hash rule with the division replaced by a multiplication: the quotient from the rounded-down
/// reciprocal is at most 1 too small.
class HashWeights {
 public:
  explicit HashWeights(std::uint64_t modulus) : modulus_(modulus), reciprocal_(~std::uint64_t{0} / modulus) {}
  std::uint64_t operator()(std::uint64_t low, std::uint64_t high) const {
    const std::uint64_t hash = low * 2654435761U ^ high * 40503U;
    const auto quotient = static_cast<std::uint64_t>((core::uint128{hash} * reciprocal_) >> 64);
    const std::uint64_t rest = hash - quotient * modulus_;
    return rest - (rest >= modulus_ ? modulus_ : 0) + 1;
  }

 private:
  std::uint64_t modulus_;
  std::uint64_t reciprocal_;
};

// A weight's rank: an unsigned integer of the weight's width that orders as the weights do. -0.0 has the rank
// of +0.0, and becomes +0.0 on the way back. IEEE 754 bit patterns order as sign and magnitude.

inline std::uint64_t rank_of_i64(std::uint64_t bits) {
  return bits ^ (std::uint64_t{1} << 63);
}
template <class Bits>
constexpr Bits rank_of_float(Bits bits) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  if (bits == sign) bits = 0;
  return (bits & sign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
}
template <class Bits>
constexpr Bits float_of_rank(Bits rank) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  return (rank & sign) != 0 ? static_cast<Bits>(rank ^ sign) : static_cast<Bits>(~rank);
}
/// Rank of +infinity; larger ones, and those below that of -infinity, are NaNs.
template <class Bits>
constexpr Bits infinite_rank() {
  return rank_of_float<Bits>(sizeof(Bits) == 4 ? static_cast<Bits>(0x7f800000U)
                                               : static_cast<Bits>(0x7ff0000000000000U));
}

/// The weight's bits as they are stored, from its rank; zero-extended.
inline std::uint64_t weight_of_rank(WeightType type, std::uint64_t rank) {
  switch (type) {
    case WeightType::i64:
      return rank_of_i64(rank);
    case WeightType::f32:
      return float_of_rank(static_cast<std::uint32_t>(rank));
    case WeightType::f64:
      return float_of_rank(rank);
    case WeightType::none:
    case WeightType::u32:
      break;
  }
  return rank;
}

}  // namespace emgraph::graph::mst
