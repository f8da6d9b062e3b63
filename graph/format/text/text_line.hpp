// SPDX-License-Identifier: MIT
// One line of a text edge list, whatever it looks like.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "graph/edge_facts.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {

/// One of the two ids of a line. The number that stands there must be at least `base`; less `base` it must be
/// at most `most`; plus `offset` it is the id.
struct TextId {
  unsigned column = 1;
  std::uint64_t base = 0;
  std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t offset = 0;
};

/// What the lines hold.
struct TextFormat {
  std::size_t id_bytes = 4;  ///< larger ids are IdTooWide
  std::array<TextId, 2> ids = {TextId{.column = 1}, TextId{.column = 2}};
  bool declared_nodes = false;           ///< `most` is what the file declares, not the width of ids
  WeightType weight = WeightType::none;  ///< none: whatever stands beside the ids is skipped
  unsigned weight_column = 3;
  bool weight_optional = false;  ///< 1 where the line ends before it
  char separator = 0;            ///< as TextOptions::separator

  unsigned last_column() const;
};

enum class LineKind { edge, nothing, wrong };

/// What stood in a line.
struct TextLine {
  std::uint64_t ids[2] = {0, 0};
  std::byte weight[8] = {};
  std::string wrong;      ///< of LineKind::wrong
  bool too_wide = false;  ///< it is wrong for an id that 8 bytes would hold
};

/// Is `c` what ends a column, by the separator of a format?
constexpr bool separates(char c, char separator) {
  if (separator != 0) return c == separator;
  return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/// Parses the line at `at` and, if it is right, moves `at` behind its break. For all lines that the fast path
/// of EdgeListParser leaves. `header_allowed`: a line of words is skipped; false behind the first line with
/// columns.
LineKind parse_line(const char*& at, const char* end, const TextFormat& format, bool& header_allowed,
                    TextLine& line);

}  // namespace emgraph::graph::format
