// SPDX-License-Identifier: MIT
// The number of nodes declared by the user or by the input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph {

/// n as requested by the user, else as declared by the input, else unknown. Throws UsageError if ids of type
/// Id cannot number so many nodes.
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
