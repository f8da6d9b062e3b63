// SPDX-License-Identifier: MIT
// Messages.
#include "graph/search_root.hpp"

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

}  // namespace emgraph::graph
