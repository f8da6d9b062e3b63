// SPDX-License-Identifier: MIT
// Reads and writes numbers of any type as text.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "graph/format/numbers/digits.hpp"

namespace emgraph::graph::format {

/// Reads the finite number at `at` and moves `at` to its end. `end`: the end of the text. A number that is
/// too small becomes the nearest Real, perhaps 0. False if there is no number.
template <std::floating_point Real>
bool read_fraction(const char*& at, const char* end, Real& value) {
  if (end - at >= 2 && *at == '+' && at[1] != '-') ++at;
  const auto [stop, error] = std::from_chars(at, end, value);
  if (error == std::errc::result_out_of_range) {
    // Too large or too small: the C library returns infinity if it is too large.
    const std::string text(at, stop);
    if constexpr (sizeof(Real) == sizeof(float)) {
      value = std::strtof(text.c_str(), nullptr);
    } else {
      value = std::strtod(text.c_str(), nullptr);
    }
  } else if (error != std::errc()) {
    return false;
  }
  at = stop;
  return std::isfinite(value);
}

/// Reads the integer at `at` and moves `at` to its end. False if there is none. Requires: as read_decimal.
inline bool read_integer(const char*& at, std::int64_t& value) {
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  std::uint64_t magnitude = 0;
  if (!read_decimal(at, magnitude)) return false;
  constexpr std::uint64_t least = std::uint64_t{1} << 63;
  if (magnitude > (negative ? least : least - 1)) return false;
  value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
  return true;
}

/// Most bytes that put() writes, including bytes after the number: the shortest text of a double has up to 24
/// characters.
inline constexpr std::size_t longest_number_bytes = 24;

template <class T>
T value_at(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// Writes a number and returns its end. Requires: space for longest_number_bytes.
template <class T>
char* put(char* at, T number) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::to_chars(at, at + longest_number_bytes, number).ptr;
  } else {
    const auto bits = static_cast<std::uint64_t>(number);
    if (std::is_unsigned_v<T> || number >= 0) return put_number(at, bits);
    *at++ = '-';
    return put_number(at, 0 - bits);
  }
}

inline char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace emgraph::graph::format
