// SPDX-License-Identifier: MIT
// Adjacency lists and the standard library.
#include "tests/oracle/mis_oracle.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

namespace emgraph::tests {

std::vector<std::uint64_t> first_independent_set(std::uint64_t nodes,
                                                 const std::vector<graph::Edge64>& edges) {
  std::map<std::uint64_t, std::vector<std::uint64_t>> smaller_neighbours;
  for (const graph::Edge64& edge : edges) {
    if (edge.source != edge.target) {
      smaller_neighbours[std::max(edge.source, edge.target)].push_back(std::min(edge.source, edge.target));
    }
  }
  std::vector<std::uint64_t> members;
  auto next = smaller_neighbours.begin();
  for (std::uint64_t node = 0; node < nodes; ++node) {
    const auto found = next;
    const bool listed = found != smaller_neighbours.end() && found->first == node;
    if (listed) ++next;
    const bool excluded =
        listed && std::any_of(found->second.begin(), found->second.end(), [&](std::uint64_t other) {
          return std::binary_search(members.begin(), members.end(), other);
        });
    if (!excluded) members.push_back(node);
  }
  return members;
}

std::vector<std::uint64_t> paper_listing(std::vector<graph::Edge64> edges) {
  std::sort(edges.begin(), edges.end());
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> messages;
  std::set<std::uint64_t> members;
  for (const graph::Edge64& edge : edges) {
    while (!messages.empty() && messages.top() < edge.source) messages.pop();
    if (!messages.empty() && messages.top() == edge.source) continue;
    members.insert(edge.source);
    messages.push(edge.target);
  }
  return {members.begin(), members.end()};
}

}  // namespace emgraph::tests
