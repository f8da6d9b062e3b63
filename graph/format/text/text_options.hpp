// SPDX-License-Identifier: MIT
// The user's options for the lines of a text edge list.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/edge_facts.hpp"
#include "graph/format/text/left_out_lines.hpp"

namespace emgraph::graph::format {

/// Columns count from 1.
struct TextColumns {
  unsigned source = 1;
  unsigned target = 2;
  std::optional<unsigned> weight = std::nullopt;  ///< nullopt: the edges have no weights
};

/// Names of columns in the header line; a column without a name has the number in TextColumns.
struct TextColumnNames {
  std::string source = {};
  std::string target = {};
  std::string weight = {};

  bool given() const { return !source.empty() || !target.empty() || !weight.empty(); }
};

/// A TextOptions::separator: any number of spaces and tabs, and nothing else.
inline constexpr char blanks_separator = '\x1f';

struct TextOptions {
  std::optional<TextColumns> columns = std::nullopt;
  /// Type of the weights. If it is given without a column, weights are in the third column.
  std::optional<WeightType> weight = std::nullopt;
  std::uint64_t skip_lines = 0;
  /// Exactly one separates columns, and blanks beside it are ignored; or blanks_separator; 0: as the first
  /// lines have it (first_lines.hpp), which for ids may be any number of blanks with at most one comma or
  /// semicolon.
  char separator = 0;
  bool header = false;         ///< the first line, blank lines and comments aside, names the columns
  unsigned shown_lines = 0;    ///< number of first lines to show as they are understood (first_lines.hpp)
  TextColumnNames names = {};  ///< requires `header` and `columns`
  bool skip_invalid = false;   ///< invalid lines are left out
  /// Lines with one of these as an id, label or weight are left out.
  std::vector<std::string> missing_values = {};
  std::shared_ptr<LeftOutLines> left_out = nullptr;  ///< counts them; may be null

  bool given() const {
    return columns || weight || skip_lines != 0 || separator != 0 || header || skip_invalid ||
           !missing_values.empty();
  }
};

}  // namespace emgraph::graph::format
