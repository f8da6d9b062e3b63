// SPDX-License-Identifier: MIT
// Pushes along every edge.
#include "tests/oracle/pagerank_oracle.hpp"

namespace emgraph::tests {

std::vector<double> ranks_after(std::uint64_t rounds, std::uint64_t nodes,
                                const std::vector<graph::Edge64>& edges, bool undirected, double damping) {
  std::vector<graph::Edge64> arcs = edges;
  if (undirected) {
    for (const graph::Edge64& edge : edges) {
      if (edge.source != edge.target) arcs.push_back({edge.target, edge.source});
    }
  }
  std::vector<std::uint64_t> degrees(nodes);
  for (const graph::Edge64& arc : arcs) ++degrees.at(arc.source);
  const auto n = static_cast<long double>(nodes);
  std::vector<long double> ranks(nodes, 1 / n);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    long double dangling = 0;
    for (std::uint64_t v = 0; v < nodes; ++v) dangling += degrees[v] == 0 ? ranks[v] : 0;
    std::vector<long double> sums(nodes, dangling / n);
    for (const graph::Edge64& arc : arcs) {
      sums.at(arc.target) += ranks[arc.source] / static_cast<long double>(degrees[arc.source]);
    }
    for (std::uint64_t v = 0; v < nodes; ++v) ranks[v] = (1 - damping) / n + damping * sums[v];
  }
  return {ranks.begin(), ranks.end()};
}

}  // namespace emgraph::tests
