// SPDX-License-Identifier: MIT
// Lists of neighbours and a queue.
#include "tests/oracle/bfs_oracle.hpp"

#include "tests/oracle/neighbours.hpp"

namespace emgraph::tests {

BfsAnswer breadth_first(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, std::uint64_t root,
                        bool directed) {
  constexpr std::uint64_t unreached = ~std::uint64_t{0};
  BfsAnswer answer;
  answer.levels.assign(nodes, unreached);
  answer.parents.assign(nodes, unreached);
  if (nodes == 0) return answer;
  const Neighbours neighbours(nodes, edges, directed);
  std::vector<std::uint64_t> queue{root};
  answer.levels[root] = 0;
  answer.parents[root] = root;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::uint64_t node = queue[next];
    const std::uint64_t level = answer.levels[node];
    ++answer.reached;
    if (answer.nodes_per_level.size() == level) answer.nodes_per_level.push_back(0);
    ++answer.nodes_per_level[level];
    for (const std::uint64_t other : neighbours.of(node)) {
      if (answer.levels[other] == unreached) {
        answer.levels[other] = level + 1;
        queue.push_back(other);
      }
      // The parent is the smallest of all neighbours on the level above.
      if (answer.levels[other] == level + 1 && node < answer.parents[other]) answer.parents[other] = node;
    }
  }
  return answer;
}

std::uint64_t default_root(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, bool directed) {
  const Neighbours neighbours(nodes, edges, directed);
  std::uint64_t root = 0;
  for (std::uint64_t v = 0; v < nodes; ++v) {
    if (neighbours.of(v).size() > neighbours.of(root).size()) root = v;
  }
  return root;
}

}  // namespace emgraph::tests
