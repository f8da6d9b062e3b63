// SPDX-License-Identifier: MIT
// One line of a text edge list, whatever it looks like.
#pragma once

#include <cstdint>
#include <string>

#include "graph/format/text/text_parse.hpp"

namespace emgraph::graph::format {

enum class LineKind { edge, nothing, wrong };

/// What stood in a line.
struct TextLine {
  std::uint64_t ids[2] = {0, 0};
  std::byte weight[8] = {};
  std::string wrong;      ///< of LineKind::wrong
  bool too_wide = false;  ///< it is wrong for an id that 8 bytes would hold
};

constexpr bool is_line_break(char c) {
  return c == '\n' || c == '\r';
}

/// Is `c` what ends a column, by the separator of a format?
constexpr bool separates(char c, char separator) {
  if (separator != 0) return c == separator;
  return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/// Parses the line at `at` and moves `at` behind its break (if it is right). For all that parse_text's fast
/// path leaves.
LineKind parse_line(const char*& at, const char* end, const TextFormat& format, bool& header_allowed,
                    TextLine& line);

}  // namespace emgraph::graph::format
