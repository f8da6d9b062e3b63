// SPDX-License-Identifier: MIT
// The error for ids so sparse that a value for each would take far more than the edges.
#include "graph/sparse_ids.hpp"

#include <string>

#include "core/base/error.hpp"

namespace emgraph::graph {

void require_justified(const EdgeFacts& facts, const std::optional<std::uint64_t>& asked, std::uint64_t nodes,
                       const std::optional<std::uint64_t>& edges, const std::string& advice) {
  if (asked || facts.generated || nodes <= justified_nodes(edges)) return;
  const std::string found = edges ? core::format_count(*edges) + " edges, " : std::string();
  throw core::EnvironmentError(facts.name + ": " + found + "ids up to " + core::format_count(nodes - 1) +
                               ": these ids are sparse, and a value for each of " +
                               core::format_count(nodes) + " nodes would take far more than the edges; " +
                               advice + ", --nodes " + std::to_string(nodes) + " goes on nevertheless");
}

}  // namespace emgraph::graph
