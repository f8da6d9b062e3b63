// SPDX-License-Identifier: MIT
// The exact sum of floating-point numbers, independent of their order.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/integers.hpp"

namespace emgraph::graph::stats {

/// Sums doubles with a single rounding at the end.
///
/// Problem: the distribution of edges to threads varies, and rounded sums depend on the order.
/// Method: each exponent has a 128-bit sum of mantissas, which is exact for 2^74 numbers. At the end all sums
/// are added in one long integer, which is rounded once, to the nearest double, ties to even. Invariant:
/// bins_[e] counts multiples of 2^(e - 1075). Source: the long accumulator of Kulisch, Computer Arithmetic
/// and Validity (2013), doi 10.1515/9783110301793.
///
/// I/O: none. Memory: 32 KiB, not charged. Threads: one each, then merge. Throws: nothing.
class ExactSum {
 public:
  /// Requires: `value` is finite.
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<std::size_t>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    // Subnormal numbers have the exponent of the least normal ones and no implied bit.
    const auto mantissa =
        static_cast<core::int128>(fraction | (exponent == 0 ? std::uint64_t{0} : std::uint64_t{1} << 52));
    bins_[exponent == 0 ? 1 : exponent] += bits >> 63 != 0 ? -mantissa : mantissa;
  }
  void merge(const ExactSum& other) {
    for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  }
  /// The sum, rounded; infinite if no double is large enough.
  double value() const;

 private:
  std::array<core::int128, 2047> bins_{};
};

}  // namespace emgraph::graph::stats
