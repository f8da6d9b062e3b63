// SPDX-License-Identifier: MIT
// One line of a text edge list whose columns are labels: names, addresses, keys, anything.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "graph/edge_facts.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {

/// A column that is wanted ends within so many bytes of its line; labels are shorter than this.
inline constexpr std::size_t max_label_line_bytes = 65536;

/// What the lines hold.
struct LabelColumns {
  std::array<unsigned, 2> labels = {1, 2};
  WeightType weight = WeightType::none;  ///< none: whatever stands beside the labels is skipped
  unsigned weight_column = 3;
  /// Exactly one between columns, blanks (spaces, tabs) beside it ignored; 0: any number of blanks.
  char separator = 0;

  unsigned last() const {
    return std::max({labels[0], labels[1], weight == WeightType::none ? 0 : weight_column});
  }
  /// Columns may stand in double quotes, and then hold separators; two quotes are one of the label. Where
  /// blanks alone separate, quotes are characters like others.
  bool quotes() const { return separator != 0 && separator != '\t' && separator != ' '; }
};

struct LabelLine {
  std::array<std::string_view, 2> labels;  ///< in the text
  std::array<std::byte, 8> weight = {};
  std::string wrong;  ///< of LineKind::wrong
};

/// Parses the line at `at` and moves `at` behind its break (if it is right). Blank lines and those that start
/// with # or % hold nothing. Labels are taken byte by byte as they stand, quotes taken off in place. `cut`:
/// what stands before `end` is the start of a longer line.
LineKind parse_label_line(char*& at, char* end, bool cut, const LabelColumns& columns, LabelLine& line);

}  // namespace emgraph::graph::format
