// SPDX-License-Identifier: MIT
// Messages about roots that are no nodes.
#include "graph/search_root.hpp"

#include "core/base/error.hpp"

namespace emgraph::graph {

void refuse_no_nodes(const std::string& input) {
  throw core::DataError::in_file(input, "the graph has no nodes: there is no root to search from");
}

void require_node(const std::string& what, std::uint64_t node, std::uint64_t nodes) {
  if (node < nodes) return;
  throw core::UsageError(
      what + " " + std::to_string(node) +
      (nodes == 0 ? ": there are no nodes" : ": nodes are 0 to " + std::to_string(nodes - 1)));
}

void require_root(const std::optional<std::uint64_t>& asked, std::uint64_t nodes) {
  if (asked) require_node("root", *asked, nodes);
}

}  // namespace emgraph::graph
