// SPDX-License-Identifier: MIT
// Tests all pairs of larger neighbours.
#include "tests/oracle/triangles_oracle.hpp"

#include "tests/oracle/neighbours.hpp"

namespace emgraph::tests {

TriangleAnswers all_triangles(std::uint64_t nodes, const std::vector<graph::Edge64>& edges) {
  const Neighbours neighbours(nodes, edges);
  TriangleAnswers answers;
  answers.per_node.resize(nodes);
  for (std::uint64_t a = 0; a < neighbours.nodes(); ++a) {
    const std::uint64_t degree = neighbours.of(a).size();
    if (degree == 0) continue;
    answers.wedges += degree * (degree - 1) / 2;
    answers.simple_edges += degree;
    for (const std::uint64_t b : neighbours.of(a)) {
      if (b < a) continue;
      for (const std::uint64_t c : neighbours.of(b)) {
        if (c < b || !neighbours.joined(a, c)) continue;
        answers.list.push_back({a, b, c});
        for (const std::uint64_t node : {a, b, c}) ++answers.per_node[node];
      }
    }
  }
  answers.simple_edges /= 2;
  return answers;
}

}  // namespace emgraph::tests
