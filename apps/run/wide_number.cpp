// SPDX-License-Identifier: MIT
// The standard library prints 64 bits at most.
#include "apps/run/wide_number.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace emgraph::apps {

std::string digits(core::uint128 value) {
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

std::string digits(int128 value) {
  const auto plain = static_cast<core::uint128>(value);
  return std::string(value < 0 ? "-" : "") + digits(value < 0 ? -plain : plain);
}

nlohmann::ordered_json number_or_digits(core::uint128 value) {
  if (value <= std::numeric_limits<std::uint64_t>::max()) return static_cast<std::uint64_t>(value);
  return digits(value);
}

nlohmann::ordered_json number_or_digits(int128 value) {
  if (value >= 0) return number_or_digits(static_cast<core::uint128>(value));
  if (value >= std::numeric_limits<std::int64_t>::min()) return static_cast<std::int64_t>(value);
  return digits(value);
}

}  // namespace emgraph::apps
