// SPDX-License-Identifier: MIT
#include "graph/edge_facts.hpp"

#include "core/base/error.hpp"

namespace emgraph::graph {

void refuse_no_nodes(const std::string& input) {
  throw core::DataError::in_file(input, "the graph has no nodes: there is no root to search from");
}

void require_root(const std::optional<std::uint64_t>& asked, std::uint64_t nodes) {
  if (!asked || *asked < nodes) return;
  throw core::UsageError("root " + std::to_string(*asked) + " is not below the number of nodes, " +
                         std::to_string(nodes));
}

std::optional<std::uint64_t> declared_nodes(std::size_t id_bytes, const std::optional<std::uint64_t>& asked,
                                            const EdgeFacts& facts) {
  const std::optional<std::uint64_t> nodes = asked ? asked : facts.nodes;
  if (id_bytes == 4 && nodes && *nodes > std::uint64_t{1} << 32) {
    throw core::UsageError(facts.name + ": ids of 4 bytes cannot name " + std::to_string(*nodes) + " nodes");
  }
  return nodes;
}

}  // namespace emgraph::graph
