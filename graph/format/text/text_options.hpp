// SPDX-License-Identifier: MIT
// What a user may say about the lines of a text edge list.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Columns count from 1.
struct TextColumns {
  unsigned source = 1;
  unsigned target = 2;
  std::optional<unsigned> weight = std::nullopt;  ///< none: the edges have no weights
};

struct TextOptions {
  std::optional<TextColumns> columns = std::nullopt;
  /// Of the weights. Given without a column of weights: that is the third.
  std::optional<WeightType> weight = std::nullopt;
  std::uint64_t skip_lines = 0;
  /// Exactly one between columns, blanks beside it ignored; 0: blanks, with at most one comma or semicolon.
  char separator = 0;

  bool given() const { return columns || weight || skip_lines != 0 || separator != 0; }
};

}  // namespace emgraph::graph::format
