// SPDX-License-Identifier: MIT
// Adds the bins with carries and rounds once.
#include "graph/stats/exact_sum.hpp"

#include <cmath>

namespace emgraph::graph::stats {
namespace {

using core::int128;
using core::uint128;

/// 2046 positions of bins, the last one with 128 bits, and a sign.
constexpr std::size_t words = (2046 + 128) / 64 + 2;
/// Little-endian, in two's complement.
using Long = std::array<std::uint64_t, words>;

void add_shifted(Long& sum, int128 value, std::size_t shift) {
  const std::size_t first = shift / 64;
  const std::size_t bits = shift % 64;
  const auto plain = static_cast<uint128>(value);
  const std::uint64_t sign = value < 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t low = static_cast<std::uint64_t>(plain);
  const std::uint64_t high = static_cast<std::uint64_t>(plain >> 64);
  const auto joined = [bits](std::uint64_t word, std::uint64_t before) {
    return bits == 0 ? word : word << bits | before >> (64 - bits);
  };
  std::uint64_t carry = 0;
  for (std::size_t i = first; i < words; ++i) {
    const std::size_t part = i - first;
    const std::uint64_t added = part == 0   ? joined(low, 0)
                                : part == 1 ? joined(high, low)
                                : part == 2 ? joined(sign, high)
                                            : sign;
    const uint128 total = uint128{sum[i]} + added + carry;
    sum[i] = static_cast<std::uint64_t>(total);
    carry = static_cast<std::uint64_t>(total >> 64);
  }
}

void negate(Long& sum) {
  std::uint64_t carry = 1;
  for (std::uint64_t& word : sum) {
    word = ~word + carry;
    carry = carry != 0 && word == 0 ? 1 : 0;
  }
}

}  // namespace

double ExactSum::value() const {
  Long sum{};
  for (std::size_t exponent = 1; exponent < bins_.size(); ++exponent) {
    if (bins_[exponent] != 0) add_shifted(sum, bins_[exponent], exponent - 1);
  }
  const bool negative = sum.back() >> 63 != 0;
  if (negative) negate(sum);
  std::size_t top = words;
  while (top > 0 && sum[top - 1] == 0) --top;
  if (top == 0) return 0;
  // Takes the highest 64 bits. The lowest of them is set if any lower bit is set, to distinguish ties from
  // larger numbers.
  const auto free = static_cast<unsigned>(std::countl_zero(sum[top - 1]));
  std::uint64_t head = sum[top - 1] << free;
  bool rest = false;
  if (top > 1) {
    if (free > 0) head |= sum[top - 2] >> (64 - free);
    rest = (free == 0 ? sum[top - 2] : sum[top - 2] << free) != 0;
    for (std::size_t i = 0; i + 2 < top; ++i) rest = rest || sum[i] != 0;
  }
  // A number with fewer than 53 significant bits is a multiple of the least double, so scaling does not
  // round.
  const int scale = static_cast<int>(top - 1) * 64 - static_cast<int>(free) - 1074;
  const double magnitude = std::ldexp(static_cast<double>(head | (rest ? 1U : 0U)), scale);
  return negative ? -magnitude : magnitude;
}

}  // namespace emgraph::graph::stats
