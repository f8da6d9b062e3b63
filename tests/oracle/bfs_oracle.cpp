// SPDX-License-Identifier: MIT
// Sets of neighbours and a queue.
#include "tests/oracle/bfs_oracle.hpp"

#include <map>
#include <queue>
#include <set>

namespace emgraph::tests {
namespace {

using Neighbours = std::map<std::uint64_t, std::set<std::uint64_t>>;

Neighbours neighbours_of(const std::vector<graph::Edge64>& edges, bool directed) {
  Neighbours neighbours;
  for (const graph::Edge64& edge : edges) {
    if (edge.source == edge.target) continue;
    neighbours[edge.source].insert(edge.target);
    if (!directed) neighbours[edge.target].insert(edge.source);
  }
  return neighbours;
}

}  // namespace

BfsAnswer breadth_first(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, std::uint64_t root,
                        bool directed) {
  constexpr std::uint64_t unreached = ~std::uint64_t{0};
  BfsAnswer answer;
  answer.levels.assign(nodes, unreached);
  answer.parents.assign(nodes, unreached);
  if (nodes == 0) return answer;
  Neighbours neighbours = neighbours_of(edges, directed);
  std::queue<std::uint64_t> queue;
  answer.levels[root] = 0;
  answer.parents[root] = root;
  for (queue.push(root); !queue.empty(); queue.pop()) {
    const std::uint64_t node = queue.front();
    const std::uint64_t level = answer.levels[node];
    ++answer.reached;
    if (answer.nodes_per_level.size() == level) answer.nodes_per_level.push_back(0);
    ++answer.nodes_per_level[level];
    for (const std::uint64_t other : neighbours[node]) {
      if (answer.levels[other] == unreached) {
        answer.levels[other] = level + 1;
        queue.push(other);
      }
      // The parent is the smallest of all neighbours on the level above.
      if (answer.levels[other] == level + 1 && node < answer.parents[other]) answer.parents[other] = node;
    }
  }
  return answer;
}

std::uint64_t default_root(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, bool directed) {
  std::uint64_t root = 0;
  std::size_t largest = 0;
  for (const auto& [node, others] : neighbours_of(edges, directed)) {
    if (node < nodes && others.size() > largest) {
      root = node;
      largest = others.size();
    }
  }
  return root;
}

}  // namespace emgraph::tests
