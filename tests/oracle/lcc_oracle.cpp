// SPDX-License-Identifier: MIT
// Looks up every ordered pair of neighbours among the arcs.
#include "tests/oracle/lcc_oracle.hpp"

#include "tests/oracle/neighbours.hpp"

namespace emgraph::tests {

std::vector<double> clustering_coefficients(std::uint64_t nodes, const std::vector<graph::Edge64>& edges,
                                            bool directed) {
  const Neighbours arcs(nodes, edges, directed);
  const Neighbours neighbours(nodes, edges);
  std::vector<double> values(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) {
    std::uint64_t found = 0;
    for (const std::uint64_t a : neighbours.of(v)) {
      for (const std::uint64_t b : neighbours.of(v)) found += arcs.joined(a, b) ? 1 : 0;
    }
    const auto degree = static_cast<double>(neighbours.of(v).size());
    if (degree >= 2) values[v] = static_cast<double>(found) / (degree * (degree - 1));
  }
  return values;
}

}  // namespace emgraph::tests
