// SPDX-License-Identifier: MIT
// Adjacency lists and a stack.
#include "tests/oracle/cc_oracle.hpp"

#include <algorithm>
#include <map>

namespace emgraph::tests {

std::vector<std::uint64_t> smallest_reachable(std::uint64_t nodes, const std::vector<graph::Edge64>& edges) {
  std::vector<std::vector<std::uint64_t>> neighbours(nodes);
  for (const graph::Edge64& edge : edges) {
    neighbours.at(edge.source).push_back(edge.target);
    neighbours.at(edge.target).push_back(edge.source);
  }
  std::vector<std::uint64_t> labels(nodes);
  std::vector<bool> seen(nodes);
  for (std::uint64_t start = 0; start < nodes; ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    std::vector<std::uint64_t> to_visit{start};
    while (!to_visit.empty()) {
      const std::uint64_t node = to_visit.back();
      to_visit.pop_back();
      labels[node] = start;
      for (const std::uint64_t next : neighbours[node]) {
        if (!seen[next]) to_visit.push_back(next);
        seen[next] = true;
      }
    }
  }
  return labels;
}

ComponentSizes component_sizes(const std::vector<std::uint64_t>& labels) {
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (const std::uint64_t label : labels) ++sizes[label];
  ComponentSizes found;
  found.components = sizes.size();
  for (const auto& [label, size] : sizes) {
    found.isolated += size == 1;
    found.largest = std::max(found.largest, size);
  }
  return found;
}

}  // namespace emgraph::tests
