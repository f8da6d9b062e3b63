// SPDX-License-Identifier: MIT
// Decimal fractions to floating-point numbers.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <string>
#include <system_error>

namespace emgraph::graph::format {

/// The finite number at `at`, which is moved behind it, `end` being the end of the text. What is too small
/// for a Real becomes the nearest there is, be it 0. False if there is none.
template <std::floating_point Real>
bool read_fraction(const char*& at, const char* end, Real& value) {
  if (end - at >= 2 && *at == '+' && at[1] != '-') ++at;
  const auto [stop, error] = std::from_chars(at, end, value);
  if (error == std::errc::result_out_of_range) {
    // Too large or too small: the C library tells which, by infinity.
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

}  // namespace emgraph::graph::format
