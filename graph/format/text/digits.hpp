// SPDX-License-Identifier: MIT
// Decimal digits to an integer and back, eight at a time in one register.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace emgraph::graph::format {

/// The value of `count` digits at `text`, 1 to 8 of them. Requires: 8 readable bytes at `text`.
/// Source: D. Lemire, "Quickly parsing eight digits" (2018): neighbours are joined to pairs, fours, eights.
inline std::uint64_t value_of_digits(const char* text, std::size_t count) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, text, sizeof(word));
  // What follows the digits is shifted out; what comes in at the other end reads as leading zeros.
  word = (word - 0x3030303030303030) << (8 * (8 - count));
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t pairs = 0x000000ff000000ff;
  constexpr std::uint64_t hundreds = 100 + (std::uint64_t{1000000} << 32);
  constexpr std::uint64_t ones = 1 + (std::uint64_t{10000} << 32);
  return ((word & pairs) * hundreds + (word >> 16 & pairs) * ones) >> 32;
}

/// The eight digits of a number below 10^8 as bytes 0 … 9, the first in the lowest byte.
/// Source: P. Khuong, "How to print integers really fast" (2017): divisions by multiplication, on all parts
/// at once.
inline std::uint64_t digits_of(std::uint32_t number) {
  const std::uint64_t fours = number / 10000 | std::uint64_t{number % 10000} << 32;
  const std::uint64_t high_pairs = fours * 10486 >> 20 & 0x0000007f0000007f;
  const std::uint64_t pairs = high_pairs + ((fours - 100 * high_pairs) << 16);
  const std::uint64_t tens = pairs * 103 >> 10 & 0x000f000f000f000f;
  return tens + ((pairs - 10 * tens) << 8);
}

/// What put_number may write beyond the digits it counts.
inline constexpr std::size_t put_number_slack = 8;

/// Writes `number` in decimal digits at `at` and returns their end.
inline char* put_number(char* at, std::uint64_t number) {
  constexpr std::uint64_t eight_digits = 100000000;
  constexpr std::uint64_t zeros = 0x3030303030303030;
  if (number < eight_digits) [[likely]] {
    const std::uint64_t digits = digits_of(static_cast<std::uint32_t>(number));
    // At least one digit is written, be it 0.
    const int leading = std::countr_zero(digits | std::uint64_t{1} << 56) / 8;
    const std::uint64_t text = (digits | zeros) >> (8 * leading);
    std::memcpy(at, &text, sizeof(text));
    return at + 8 - leading;
  }
  at = put_number(at, number / eight_digits);
  const std::uint64_t text = digits_of(static_cast<std::uint32_t>(number % eight_digits)) | zeros;
  std::memcpy(at, &text, sizeof(text));
  return at + 8;
}

}  // namespace emgraph::graph::format
