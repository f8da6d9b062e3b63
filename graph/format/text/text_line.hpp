// SPDX-License-Identifier: MIT
// Parses any line of a text edge list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/edge_facts.hpp"
#include "graph/format/text/left_out_lines.hpp"
#include "graph/format/text/line_chunks.hpp"
#include "graph/format/text/text_options.hpp"

namespace emgraph::graph::format {

/// One of the two ids of a line. A number x in the text must be at least `base`, and x - base at most `most`.
/// The id is x - base + offset.
struct TextId {
  unsigned column = 1;
  std::uint64_t base = 0;
  std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t offset = 0;
};

/// The contents of the lines.
struct TextFormat {
  std::size_t id_bytes = 4;  ///< larger ids are IdTooWide
  std::array<TextId, 2> ids = {TextId{.column = 1}, TextId{.column = 2}};
  /// Where n comes from if `most` follows from it, for messages; empty: from the width of ids.
  std::string_view nodes_from = {};
  WeightType weight = WeightType::none;  ///< none: all other columns are skipped
  unsigned weight_column = 3;
  bool weight_optional = false;                  ///< the weight is 1 if the line ends before it
  char separator = 0;                            ///< as TextOptions::separator
  bool words_first = true;                       ///< a first line of words is a header
  bool skip_invalid = false;                     ///< as TextOptions::skip_invalid
  std::vector<std::string> missing_values = {};  ///< as TextOptions::missing_values
  std::shared_ptr<LeftOutLines> left_out = nullptr;

  unsigned last_column() const;
};

enum class LineKind {
  edge,
  nothing,
  missing,  ///< an id, a label or the weight is a missing value
  wrong
};

/// The contents of a line.
struct TextLine {
  std::uint64_t ids[2] = {0, 0};
  std::byte weight[8] = {};
  std::string wrong;      ///< the error, for LineKind::wrong
  bool too_wide = false;  ///< the error is an id that fits 8 bytes
};

/// True if `text` is one of the missing values.
bool is_missing(const std::vector<std::string>& values, std::string_view text);

/// True if `c` ends a column in a format with this separator.
constexpr bool separates(char c, char separator) {
  const bool blank = c == ' ' || c == '\t';
  if (separator == blanks_separator) return blank;
  if (separator != 0) return c == separator;
  return blank || c == ',' || c == ';';
}

/// True for a line of words, such as "id_1,id_2", without missing values: at least one id column starts with
/// a letter, and all with a letter.
bool is_words(std::string_view line, const TextFormat& format);

/// Moves `at` to the next line.
void skip_text_line(const char*& at, const char* end);

/// Parses the line at `at` and, unless it is invalid, moves `at` to the next line. For all lines that the
/// fast path of EdgeListParser does not parse. `header_allowed`: a line of words is skipped; becomes false
/// after the first line with columns.
LineKind parse_line(const char*& at, const char* end, const TextFormat& format, bool& header_allowed,
                    TextLine& line);

}  // namespace emgraph::graph::format
