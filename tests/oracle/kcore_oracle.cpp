// SPDX-License-Identifier: MIT
// Degrees, which fall as neighbours are removed.
#include "tests/oracle/kcore_oracle.hpp"

#include "tests/oracle/neighbours.hpp"

namespace emgraph::tests {

std::vector<std::uint64_t> core_numbers(std::uint64_t nodes, const std::vector<graph::Edge64>& edges) {
  const Neighbours neighbours(nodes, edges);
  std::vector<std::uint64_t> degrees(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) degrees[v] = neighbours.of(v).size();
  std::vector<std::uint64_t> cores(nodes);
  std::vector<bool> removed(nodes);
  std::uint64_t left = nodes;
  for (std::uint64_t k = 1; left > 0; ++k) {
    for (bool again = true; again;) {
      again = false;
      for (std::uint64_t v = 0; v < nodes; ++v) {
        if (removed[v] || degrees[v] >= k) continue;
        for (const std::uint64_t other : neighbours.of(v)) degrees[other] -= removed[other] ? 0 : 1;
        removed[v] = again = true;
        --left;
      }
    }
    for (std::uint64_t v = 0; v < nodes; ++v) cores[v] += removed[v] ? 0 : 1;
  }
  return cores;
}

}  // namespace emgraph::tests
