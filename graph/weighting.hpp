// SPDX-License-Identifier: MIT
// The weights of a graph: their source, their ranks (integers with the same order), and their sum.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/base/integers.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph {

/// stored: weights of the edges. hash: ((low · 2654435761 xor high · 40503) mod modulus) + 1 in 64-bit
/// arithmetic. unit: all weights are 1, so that the forest is the lexicographically first one.
enum class WeightRule { stored, hash, unit };

struct Weighting {
  WeightRule rule = WeightRule::stored;
  std::uint64_t modulus = 1000;  ///< modulus of hash: 1 … 2^32 - 1

  /// Type of the weights of edges that carry weights of type `stored`.
  WeightType type(WeightType stored) const { return rule == WeightRule::stored ? stored : WeightType::u32; }
};

/// The hash rule with a multiplication in place of the division: the quotient by the rounded-down reciprocal
/// is at most 1 too small.
class HashWeights {
 public:
  static constexpr std::uint64_t low_factor = 2654435761U;
  static constexpr std::uint64_t high_factor = 40503U;

  explicit HashWeights(std::uint64_t modulus) : modulus_(modulus), reciprocal_(~std::uint64_t{0} / modulus) {}
  std::uint64_t operator()(std::uint64_t low, std::uint64_t high) const {
    const std::uint64_t hash = low * low_factor ^ high * high_factor;
    const auto quotient = static_cast<std::uint64_t>((core::uint128{hash} * reciprocal_) >> 64);
    const std::uint64_t rest = hash - quotient * modulus_;
    return rest - (rest >= modulus_ ? modulus_ : 0) + 1;
  }
  std::uint64_t modulus() const { return modulus_; }

 private:
  std::uint64_t modulus_;
  std::uint64_t reciprocal_;
};

// The rank of a weight is an unsigned integer of the same width; ranks have the order of the weights. -0.0
// has the rank of +0.0, and is converted back to +0.0. IEEE 754 bit patterns have the order of sign and
// magnitude.
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
/// The rank of +infinity. Larger ranks, and ranks below that of -infinity, are NaNs.
template <class Bits>
constexpr Bits infinite_rank() {
  return rank_of_float<Bits>(sizeof(Bits) == 4 ? static_cast<Bits>(0x7f800000U)
                                               : static_cast<Bits>(0x7ff0000000000000U));
}

/// The stored bits of a weight from its rank, zero-extended.
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

/// The rank of a weight from its stored bits, zero-extended.
inline std::uint64_t rank_of_weight(WeightType type, std::uint64_t bits) {
  switch (type) {
    case WeightType::i64:
      return rank_of_i64(bits);
    case WeightType::f32:
      return rank_of_float(static_cast<std::uint32_t>(bits));
    case WeightType::f64:
      return rank_of_float(bits);
    case WeightType::none:
    case WeightType::u32:
      break;
  }
  return bits;
}

/// True if weight `a` is the lighter of two. Of zeros -0.0 is.
inline bool lighter(WeightType type, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t rank_a = rank_of_weight(type, a);
  const std::uint64_t rank_b = rank_of_weight(type, b);
  return rank_a != rank_b ? rank_a < rank_b : a > b;
}

/// An interval of ranks.
struct WeightRanks {
  std::uint64_t least = 0;
  std::uint64_t largest = 0;
  bool contains(std::uint64_t rank) const { return rank - least <= largest - least; }
  bool operator==(const WeightRanks&) const = default;
};
/// The ranks of the weights of a type; of floating-point types, without NaN.
constexpr WeightRanks number_ranks(WeightType type) {
  switch (type) {
    case WeightType::f32:
      return {static_cast<std::uint32_t>(~infinite_rank<std::uint32_t>()), infinite_rank<std::uint32_t>()};
    case WeightType::f64:
      return {~infinite_rank<std::uint64_t>(), infinite_rank<std::uint64_t>()};
    case WeightType::i64:
      return {0, ~std::uint64_t{0}};
    case WeightType::none:
    case WeightType::u32:
      break;
  }
  return {0, 0xffffffffU};
}

/// The sum of many weights. Integers: exact, in 128 bits. Floating-point: Neumaier's compensated sum in
/// double precision, in the order of (low id, high id), so it does not depend on the model. An infinite
/// weight makes the sum infinite; infinities of both signs make it NaN. Source: Neumaier (1974),
/// doi 10.1002/zamm.19740540106.
class WeightSum {
 public:
  WeightSum() = default;
  explicit WeightSum(WeightType type) : type_(type) {}

  /// `bits`: as in ForestEdge.
  void add(std::uint64_t bits) {
    switch (type_) {
      case WeightType::f32:
        add_float(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        break;
      case WeightType::f64:
        add_float(std::bit_cast<double>(bits));
        break;
      case WeightType::i64:
        whole_ += static_cast<std::int64_t>(bits);
        break;
      case WeightType::none:
      case WeightType::u32:
        whole_ += static_cast<core::int128>(bits);
        break;
    }
  }

  bool is_integer() const { return type_ != WeightType::f32 && type_ != WeightType::f64; }
  core::int128 integer() const { return whole_; }
  double number() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }
  /// All digits of an integer.
  std::string integer_text() const {
    core::uint128 rest =
        whole_ < 0 ? -static_cast<core::uint128>(whole_) : static_cast<core::uint128>(whole_);
    std::string digits;
    do {
      digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
      rest /= 10;
    } while (rest != 0);
    return whole_ < 0 ? "-" + digits : digits;
  }

 private:
  void add_float(double value) {
    const double sum = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }

  WeightType type_ = WeightType::none;
  core::int128 whole_ = 0;
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace emgraph::graph
