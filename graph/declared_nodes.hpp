// SPDX-License-Identifier: MIT
// The number of nodes as the user or the input declares it, the same way for every solver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph {

/// n as asked for, else as the input declares it, else unknown. Throws UsageError when ids of type Id cannot
/// name so many nodes.
template <class Id>
std::optional<std::uint64_t> declared_nodes(const std::optional<std::uint64_t>& asked,
                                            const EdgeFacts& facts) {
  const std::optional<std::uint64_t> nodes = asked ? asked : facts.nodes;
  if (sizeof(Id) == 4 && nodes && *nodes > std::uint64_t{1} << 32) {
    throw core::UsageError(facts.name + ": ids of 4 bytes cannot name " + std::to_string(*nodes) + " nodes");
  }
  return nodes;
}

}  // namespace emgraph::graph
