// SPDX-License-Identifier: MIT
// A map from labels to counts for each node and round.
#include "tests/oracle/cdlp_oracle.hpp"

#include <map>
#include <set>
#include <utility>

namespace emgraph::tests {

std::vector<std::uint64_t> propagated_labels(std::uint64_t nodes, const std::vector<graph::Edge64>& edges,
                                             bool directed, std::uint64_t iterations) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> arcs;
  for (const graph::Edge64& edge : edges) {
    if (edge.source == edge.target) continue;
    arcs.emplace(edge.source, edge.target);
    if (!directed) arcs.emplace(edge.target, edge.source);
  }
  std::vector<std::uint64_t> labels(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) labels[v] = v;
  for (std::uint64_t round = 0; round < iterations; ++round) {
    std::vector<std::map<std::uint64_t, std::uint64_t>> votes(nodes);
    for (const auto& [source, target] : arcs) {
      ++votes.at(target)[labels[source]];
      if (directed) ++votes.at(source)[labels[target]];
    }
    for (std::uint64_t v = 0; v < nodes; ++v) {
      std::uint64_t most = 0;
      for (const auto& [label, count] : votes[v]) {
        if (count <= most) continue;
        most = count;
        labels[v] = label;
      }
    }
  }
  return labels;
}

}  // namespace emgraph::tests
