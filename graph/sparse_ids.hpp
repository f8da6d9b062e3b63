// SPDX-License-Identifier: MIT
// The rule for ids that are far apart: how many nodes the edges of an input justify.
//
// A file of 15 bytes can have the id 10^15. What costs time or space per edge is done for any ids. What costs
// time or space per node is done for as many nodes as the edges justify, or if the user gave n.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "core/base/bytes.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph {

/// The most nodes for which work per node is justified: 2^28, or 1024 per edge. Without m: 2^36.
inline std::uint64_t justified_nodes(const std::optional<std::uint64_t>& edges) {
  constexpr std::uint64_t always = std::uint64_t{1} << 28;
  constexpr std::uint64_t per_edge = 1024;
  constexpr std::uint64_t without_edges = std::uint64_t{1} << 36;
  return edges ? std::max(always, core::size_product(*edges, per_edge)) : without_edges;
}

/// True if most ids below n occur in no edge, and numbering them anew would save much.
inline bool ids_are_sparse(std::uint64_t nodes, std::uint64_t edges) {
  constexpr std::uint64_t few = std::uint64_t{1} << 24;  // arrays of so many nodes cost nothing worth a word
  constexpr std::uint64_t per_edge = 64;
  return nodes > few && nodes / per_edge > edges;
}

/// Before a result with a value per node. `asked`: --nodes. `advice`: what numbers the ids anew.
/// Throws EnvironmentError if the edges do not justify n nodes and the user has not given n.
void require_justified(const EdgeFacts& facts, const std::optional<std::uint64_t>& asked, std::uint64_t nodes,
                       const std::optional<std::uint64_t>& edges,
                       const std::string& advice = "--relabel numbers them without gaps");

}  // namespace emgraph::graph
