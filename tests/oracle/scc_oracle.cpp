// SPDX-License-Identifier: MIT
// A table of what reaches what.
#include "tests/oracle/scc_oracle.hpp"

namespace emgraph::tests {

std::vector<std::uint64_t> strong_components(std::uint64_t nodes, const std::vector<graph::Edge64>& edges) {
  std::vector<std::vector<std::uint64_t>> targets(nodes);
  for (const graph::Edge64& edge : edges) targets.at(edge.source).push_back(edge.target);
  std::vector<std::vector<bool>> reaches(nodes, std::vector<bool>(nodes));
  for (std::uint64_t v = 0; v < nodes; ++v) {
    std::vector<std::uint64_t> waiting{v};
    reaches[v][v] = true;
    while (!waiting.empty()) {
      const std::uint64_t node = waiting.back();
      waiting.pop_back();
      for (const std::uint64_t target : targets[node]) {
        if (reaches[v][target]) continue;
        reaches[v][target] = true;
        waiting.push_back(target);
      }
    }
  }
  std::vector<std::uint64_t> labels(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) {
    while (!reaches[v][labels[v]] || !reaches[labels[v]][v]) ++labels[v];
  }
  return labels;
}

}  // namespace emgraph::tests
