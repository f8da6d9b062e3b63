// SPDX-License-Identifier: MIT
// Sets of neighbours, from which removed nodes are erased.
#include "tests/oracle/kcore_oracle.hpp"

#include <set>

namespace emgraph::tests {

std::vector<std::uint64_t> core_numbers(std::uint64_t nodes, const std::vector<graph::Edge64>& edges) {
  std::vector<std::set<std::uint64_t>> neighbours(nodes);
  for (const graph::Edge64& edge : edges) {
    if (edge.source == edge.target) continue;
    neighbours.at(edge.source).insert(edge.target);
    neighbours.at(edge.target).insert(edge.source);
  }
  std::vector<std::uint64_t> cores(nodes);
  std::vector<bool> removed(nodes);
  std::uint64_t left = nodes;
  for (std::uint64_t k = 1; left > 0; ++k) {
    for (bool again = true; again;) {
      again = false;
      for (std::uint64_t v = 0; v < nodes; ++v) {
        if (removed[v] || neighbours[v].size() >= k) continue;
        for (const std::uint64_t other : neighbours[v]) neighbours[other].erase(v);
        removed[v] = again = true;
        --left;
      }
    }
    for (std::uint64_t v = 0; v < nodes; ++v) cores[v] += removed[v] ? 0 : 1;
  }
  return cores;
}

}  // namespace emgraph::tests
