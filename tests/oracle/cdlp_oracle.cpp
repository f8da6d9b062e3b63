// SPDX-License-Identifier: MIT
// Counts the votes of all neighbours for each node and round.
#include "tests/oracle/cdlp_oracle.hpp"

#include <algorithm>
#include <utility>

#include "tests/oracle/neighbours.hpp"

namespace emgraph::tests {

std::vector<std::uint64_t> propagated_labels(std::uint64_t nodes, const std::vector<graph::Edge64>& edges,
                                             bool directed, std::uint64_t iterations) {
  std::vector<graph::Edge64> backward;
  for (const graph::Edge64& edge : edges) backward.push_back({edge.target, edge.source});
  const Neighbours sources(nodes, backward, directed);
  const Neighbours targets(nodes, directed ? edges : std::vector<graph::Edge64>(), true);
  std::vector<std::uint64_t> labels(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) labels[v] = v;
  std::vector<std::uint64_t> votes(nodes);
  for (std::uint64_t round = 0; round < iterations; ++round) {
    std::vector<std::uint64_t> next = labels;
    for (std::uint64_t v = 0; v < nodes; ++v) {
      std::uint64_t most = 0;
      const auto vote = [&](std::uint64_t label) {
        const std::uint64_t count = ++votes[label];
        if (count > most || (count == most && label < next[v])) next[v] = label;
        most = std::max(most, count);
      };
      for (const Neighbours* side : {&sources, &targets}) {
        for (const std::uint64_t other : side->of(v)) vote(labels[other]);
      }
      for (const Neighbours* side : {&sources, &targets}) {
        for (const std::uint64_t other : side->of(v)) votes[labels[other]] = 0;
      }
    }
    labels = std::move(next);
  }
  return labels;
}

}  // namespace emgraph::tests
