// SPDX-License-Identifier: MIT
// Sets of neighbours; tests all pairs of larger neighbours.
#include "tests/oracle/triangles_oracle.hpp"

#include <map>
#include <set>

namespace emgraph::tests {

TriangleAnswers all_triangles(std::uint64_t nodes, const std::vector<graph::Edge64>& edges) {
  std::map<std::uint64_t, std::set<std::uint64_t>> neighbours;
  for (const graph::Edge64& edge : edges) {
    if (edge.source == edge.target) continue;
    neighbours[edge.source].insert(edge.target);
    neighbours[edge.target].insert(edge.source);
  }
  TriangleAnswers answers;
  answers.per_node.resize(nodes);
  for (const auto& [a, of_a] : neighbours) {
    answers.wedges += of_a.size() * (of_a.size() - 1) / 2;
    answers.simple_edges += of_a.size();
    for (auto b = of_a.upper_bound(a); b != of_a.end(); ++b) {
      const auto& of_b = neighbours.at(*b);
      for (auto c = of_b.upper_bound(*b); c != of_b.end(); ++c) {
        if (!of_a.contains(*c)) continue;
        answers.list.push_back({a, *b, *c});
        for (const std::uint64_t node : {a, *b, *c}) ++answers.per_node[node];
      }
    }
  }
  answers.simple_edges /= 2;
  return answers;
}

}  // namespace emgraph::tests
