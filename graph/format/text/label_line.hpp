// SPDX-License-Identifier: MIT
// Parses a line of a text edge list whose columns are labels: names, addresses, keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/edge_facts.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {

/// Used columns must end within this number of bytes of their line. So labels are shorter than this.
inline constexpr std::size_t max_label_line_bytes = 65536;

/// The contents of the lines.
struct LabelColumns {
  std::array<unsigned, 2> labels = {1, 2};
  WeightType weight = WeightType::none;  ///< none: all other columns are skipped
  unsigned weight_column = 3;
  /// Exactly one separates columns, and blanks (spaces, tabs) beside it are ignored; 0: any number of blanks.
  char separator = 0;
  bool skip_invalid = false;                     ///< as TextOptions::skip_invalid
  std::vector<std::string> missing_values = {};  ///< as TextOptions::missing_values
  std::shared_ptr<LeftOutLines> left_out = nullptr;

  unsigned last() const {
    return std::max({labels[0], labels[1], weight == WeightType::none ? 0 : weight_column});
  }
  /// True if columns may be in double quotes. They can then contain separators, and two quotes are one quote
  /// of the label. If blanks separate columns, quotes are ordinary characters.
  bool quotes() const { return separator != 0 && separator != '\t' && separator != ' '; }
};

struct LabelLine {
  std::array<std::string_view, 2> labels;  ///< refer to the text
  std::array<std::byte, 8> weight = {};
  std::string wrong;  ///< the error, for LineKind::wrong
  bool missing = false;
};

/// Parses the line at `at` and, unless it is invalid, moves `at` to the next line. Blank lines and lines that
/// start with # or % have no edge. A label has the bytes of its column; quotes are removed in place. `cut`:
/// the text before `end` is the start of a longer line.
LineKind parse_label_line(char*& at, char* end, bool cut, const LabelColumns& columns, LabelLine& line);

}  // namespace emgraph::graph::format
