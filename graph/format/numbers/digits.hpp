// SPDX-License-Identifier: MIT
// Converts decimal digits to integers and back, eight digits at a time in one register.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace emgraph::graph::format {

/// The value of eight digits as bytes 0 … 9, the first in the lowest byte.
/// Source: D. Lemire, "Quickly parsing eight digits" (2018): neighbours are joined to pairs, fours, eights.
inline std::uint64_t value_of_eight(std::uint64_t word) {
  static_assert(std::endian::native == std::endian::little);
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t pairs = 0x000000ff000000ff;
  constexpr std::uint64_t hundreds = 100 + (std::uint64_t{1000000} << 32);
  constexpr std::uint64_t ones = 1 + (std::uint64_t{10000} << 32);
  return ((word & pairs) * hundreds + (word >> 16 & pairs) * ones) >> 32;
}

/// The value of `count` digits at `text`, 1 to 8 of them. Requires: 8 readable bytes at `text`.
inline std::uint64_t value_of_digits(const char* text, std::size_t count) {
  std::uint64_t word;
  std::memcpy(&word, text, sizeof(word));
  // The bytes after the digits are shifted out; the zeros shifted in are leading zeros.
  return value_of_eight((word - 0x3030303030303030) << (8 * (8 - count)));
}

/// Reads a number of any length at `at` and moves `at` to its end. False: there is no digit, or the number is
/// at least 2^64. `end`: the end of the text; null if a non-digit is known to follow the number.
inline bool read_long_decimal(const char*& at, const char* end, std::uint64_t& value) {
  constexpr std::uint64_t ten_digits_more = std::numeric_limits<std::uint64_t>::max() / 10;
  const char* const start = at;
  value = 0;
  for (; at != end && *at >= '0' && *at <= '9'; ++at) {
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    if (value > ten_digits_more || (value == ten_digits_more && digit > 5)) return false;
    value = value * 10 + digit;
  }
  return at != start;
}

/// The same without an end; if it returns false, `at` is undefined. Requires: a non-digit follows the number;
/// 8 bytes can be read from `at`. Numbers of up to seven digits need no branch on their length: bytes above 9
/// are marked, and the digits before the first mark are shifted to the end of the word.
inline bool read_decimal(const char*& at, std::uint64_t& value) {
  std::uint64_t digits;
  std::memcpy(&digits, at, sizeof(digits));
  digits ^= 0x3030303030303030;
  // A sum that overflows its byte changes only marks above the first one.
  const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  if (others == 0) return read_long_decimal(at, nullptr, value);
  const int length_bits = std::countr_zero(others) - 7;
  if (length_bits == 0) return false;
  at += length_bits / 8;
  value = value_of_eight(digits << (64 - length_bits));
  return true;
}

/// The eight digits of a number below 10^8 as bytes 0 … 9, the first in the lowest byte.
/// Source: P. Khuong, "How to print integers really fast" (2017): divides all parts at once by
/// multiplication.
inline std::uint64_t digits_of(std::uint32_t number) {
  const std::uint64_t fours = number / 10000 | std::uint64_t{number % 10000} << 32;
  const std::uint64_t high_pairs = fours * 10486 >> 20 & 0x0000007f0000007f;
  const std::uint64_t pairs = high_pairs + ((fours - 100 * high_pairs) << 16);
  const std::uint64_t tens = pairs * 103 >> 10 & 0x000f000f000f000f;
  return tens + ((pairs - 10 * tens) << 8);
}

/// Writes `number` in decimal digits at `at` and returns their end. Writes eight bytes at a time, so up to
/// seven bytes after the digits are overwritten.
inline char* put_number(char* at, std::uint64_t number) {
  constexpr std::uint64_t eight_digits = 100000000;
  constexpr std::uint64_t zeros = 0x3030303030303030;
  if (number < eight_digits) [[likely]] {
    const std::uint64_t digits = digits_of(static_cast<std::uint32_t>(number));
    // At least one digit is written, also for 0.
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
