// SPDX-License-Identifier: MIT
// Shortens, quotes, and hides what is not printable.
#include "graph/format/lines/show_column.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace emgraph::graph::format {

std::string show_column(const char* at) {
  constexpr std::ptrdiff_t shown_bytes = 24;
  const char* stop = at;
  while (*stop != '\n' && *stop != '\r' && *stop != ' ' && *stop != '\t' && stop - at < shown_bytes) ++stop;
  if (stop == at && *at != '\r') return "the end of the line";
  if (stop == at) return at[1] == '\n' ? "the end of the line" : "a carriage return inside a line";
  const std::string text(at, stop);
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (!printable) return "binary data";
  return "'" + text + (*stop == '\r' && stop[1] != '\n' ? "' and a carriage return" : "'");
}

std::string wrong_number(const char* at, const std::string& which, std::uint64_t least, std::uint64_t most) {
  const std::string range = most == std::numeric_limits<std::uint64_t>::max()
                                ? "of " + std::to_string(least) + " or more, below 2^64"
                                : "from " + std::to_string(least) + " to " + std::to_string(most);
  return "found " + show_column(at) + " as the " + which + ", expected a number " + range;
}

}  // namespace emgraph::graph::format
