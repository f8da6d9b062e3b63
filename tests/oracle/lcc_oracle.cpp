// SPDX-License-Identifier: MIT
// Looks up every ordered pair of neighbours in the set of arcs.
#include "tests/oracle/lcc_oracle.hpp"

#include <set>
#include <utility>

namespace emgraph::tests {

std::vector<double> clustering_coefficients(std::uint64_t nodes, const std::vector<graph::Edge64>& edges,
                                            bool directed) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> arcs;
  std::vector<std::set<std::uint64_t>> neighbours(nodes);
  for (const graph::Edge64& edge : edges) {
    if (edge.source == edge.target) continue;
    arcs.emplace(edge.source, edge.target);
    if (!directed) arcs.emplace(edge.target, edge.source);
    neighbours.at(edge.source).insert(edge.target);
    neighbours.at(edge.target).insert(edge.source);
  }
  std::vector<double> values(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) {
    std::uint64_t found = 0;
    for (const std::uint64_t a : neighbours[v]) {
      for (const std::uint64_t b : neighbours[v]) found += arcs.count({a, b});
    }
    const auto degree = static_cast<double>(neighbours[v].size());
    if (degree >= 2) values[v] = static_cast<double>(found) / (degree * (degree - 1));
  }
  return values;
}

}  // namespace emgraph::tests
