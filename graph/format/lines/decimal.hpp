// SPDX-License-Identifier: MIT
// Decimal digits to integers, eight at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace emgraph::graph::format {

/// Bytes that must be readable from where a number starts.
inline constexpr std::size_t decimal_slack_bytes = 8;

/// Any number of digits. False: none, or 2^64 and above.
inline bool read_long_decimal(const char*& at, std::uint64_t& value) {
  constexpr std::uint64_t ten_digits_more = std::numeric_limits<std::uint64_t>::max() / 10;
  const char* const start = at;
  value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) {
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    if (value > ten_digits_more || (value == ten_digits_more && digit > 5)) return false;
    value = value * 10 + digit;
  }
  return at != start;
}

/// The number at `at`, which is moved behind it. False: no digit, or 2^64 and above; `at` is then anywhere.
/// Requires: something that is no digit follows; 8 bytes can be read from `at`.
/// Numbers of up to seven digits take no branch on their length: bytes above 9 are marked, the digits before
/// the first mark are shifted to the end of the word, and three multiplications add them up by pairs, fours
/// and eights (method: D. Lemire, "Quickly parsing eight digits", 2018).
inline bool read_decimal(const char*& at, std::uint64_t& value) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t digits;
  std::memcpy(&digits, at, sizeof(digits));
  digits ^= 0x3030303030303030;
  // A sum that overflows its byte changes marks above the first one only.
  const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  if (others == 0) return read_long_decimal(at, value);
  const int length_bits = std::countr_zero(others) - 7;
  if (length_bits == 0) return false;
  at += length_bits / 8;
  digits <<= 64 - length_bits;
  digits = digits * 10 + (digits >> 8);
  constexpr std::uint64_t every_fourth_byte = 0x000000ff000000ff;
  constexpr std::uint64_t first_and_third = (std::uint64_t{1000000} << 32) + 100;
  constexpr std::uint64_t second_and_fourth = (std::uint64_t{10000} << 32) + 1;
  value = ((digits & every_fourth_byte) * first_and_third +
           ((digits >> 16) & every_fourth_byte) * second_and_fourth) >>
          32;
  return true;
}

}  // namespace emgraph::graph::format
