// SPDX-License-Identifier: MIT
// The comment lines and the problem line of a DIMACS graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/format/lines/line_source.hpp"

namespace emgraph::graph::format {

struct DimacsHeader {
  /// Lines "a SOURCE TARGET WEIGHT" (shortest paths); else "e NODE NODE" (colouring, and KaGen's lists).
  bool arcs = true;
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< none: no problem line, the edges start at once
  std::optional<std::uint64_t> edges = std::nullopt;
};

/// Takes everything before the first edge from the input. Throws DataError: other problems, or no problem
/// line unless `headless`.
/// Source: 9th DIMACS Implementation Challenge, "File formats", 2006 (p sp); "Clique and Coloring Problems
/// Graph Format", DIMACS 1993 (p edge, p col); KaGen's edge lists have "p N M".
DimacsHeader take_dimacs_header(LineInput& input, bool headless);

/// Does the first line that is no comment belong to such a file? `named`: its name says so, so that comments
/// alone are enough.
bool starts_like_dimacs(std::string_view text, bool named);

}  // namespace emgraph::graph::format
