// SPDX-License-Identifier: MIT
// The two comment lines that start a KONECT file (out.*).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Line 1: "% sym|asym|bip WEIGHTS"; line 2, which may be missing: "% m n1 [n2]". Source: J. Kunegis,
/// "KONECT: the Koblenz network collection", WWW 2013 companion, doi:10.1145/2487788.2488173, and the
/// handbook's chapter on the TSV format.
struct KonectHead {
  bool directed = false;
  bool bipartite = false;
  WeightType weight = WeightType::none;
  bool multiplicities = false;               ///< the weight says how often an edge occurs
  std::optional<std::uint64_t> edges;        ///< m
  std::optional<std::uint64_t> left_nodes;   ///< n1
  std::optional<std::uint64_t> right_nodes;  ///< n2
};

/// From the first bytes of a file. Returns what is wrong, "" if nothing is.
std::string parse_konect_head(std::string_view text, KonectHead& head);

}  // namespace emgraph::graph::format
