// SPDX-License-Identifier: MIT
// Signs first, then digits.
#include "graph/format/numbers/weight_column.hpp"

#include "graph/format/numbers/digits.hpp"

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

}  // namespace emgraph::graph::format
