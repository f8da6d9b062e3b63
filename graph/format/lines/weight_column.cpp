// SPDX-License-Identifier: MIT
// Signs first, then digits; fractions by std::from_chars.
#include "graph/format/lines/weight_column.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "graph/format/lines/decimal.hpp"

namespace emgraph::graph::format {

bool read_integer(const char*& at, std::int64_t& value) {
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  std::uint64_t magnitude = 0;
  if (!read_decimal(at, magnitude)) return false;
  constexpr std::uint64_t least = std::uint64_t{1} << 63;
  if (magnitude > (negative ? least : least - 1)) return false;
  value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
  return true;
}

bool read_real(const char*& at, const char* end, double& value) {
  if (*at == '+' && at[1] != '-') ++at;
  const auto [stop, error] = std::from_chars(at, end, value);
  if (error == std::errc::result_out_of_range) {
    // Too large or too small: strtod tells which, by infinity.
    value = std::strtod(std::string(at, stop).c_str(), nullptr);
  } else if (error != std::errc()) {
    return false;
  }
  at = stop;
  return std::isfinite(value);
}

}  // namespace emgraph::graph::format
