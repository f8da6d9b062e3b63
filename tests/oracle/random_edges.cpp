// SPDX-License-Identifier: MIT
// The random graphs of the zoo, made without sanitizers: some tests need millions of numbers for theirs.
#include <random>

#include "tests/support/graph_zoo.hpp"

namespace emgraph::tests {

EdgeList random_edges(std::uint64_t nodes, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  EdgeList edges(count);
  for (graph::Edge64& edge : edges) edge = {random() % nodes, random() % nodes};
  return edges;
}

EdgeList skewed_edges(unsigned scale, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  EdgeList edges(count);
  for (graph::Edge64& edge : edges) {
    edge = {0, 0};
    for (unsigned bit = 0; bit < scale; ++bit) {
      const std::uint64_t dice = random() % 100;
      edge.source = edge.source << 1 | (dice >= 76 ? 1U : 0U);
      edge.target = edge.target << 1 | ((dice >= 57 && dice < 76) || dice >= 95 ? 1U : 0U);
    }
  }
  return edges;
}

}  // namespace emgraph::tests
