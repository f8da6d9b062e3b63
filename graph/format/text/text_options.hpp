// SPDX-License-Identifier: MIT
// The user's options for the lines of a text edge list.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Columns count from 1.
struct TextColumns {
  unsigned source = 1;
  unsigned target = 2;
  std::optional<unsigned> weight = std::nullopt;  ///< nullopt: the edges have no weights
};

struct TextOptions {
  std::optional<TextColumns> columns = std::nullopt;
  /// Type of the weights. If it is given without a column, weights are in the third column.
  std::optional<WeightType> weight = std::nullopt;
  std::uint64_t skip_lines = 0;
  /// Exactly one separates columns, and blanks beside it are ignored; 0: blanks, with at most one comma or
  /// semicolon.
  char separator = 0;

  bool given() const { return columns || weight || skip_lines != 0 || separator != 0; }
};

}  // namespace emgraph::graph::format
