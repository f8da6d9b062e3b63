// SPDX-License-Identifier: MIT
// Facts of edges as text.
#include "graph/edge_facts.hpp"

#include "core/base/error.hpp"

namespace emgraph::graph {

std::optional<std::uint64_t> declared_nodes(std::size_t id_bytes, const std::optional<std::uint64_t>& asked,
                                            const EdgeFacts& facts) {
  const std::optional<std::uint64_t> nodes = known_nodes(asked, facts);
  if (id_bytes == 4 && nodes && *nodes > std::uint64_t{1} << 32) {
    throw core::UsageError(facts.name + ": ids of 4 bytes cannot name " + std::to_string(*nodes) + " nodes");
  }
  return nodes;
}

}  // namespace emgraph::graph
