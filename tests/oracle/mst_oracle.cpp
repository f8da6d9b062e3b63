// SPDX-License-Identifier: MIT
// Sorts the edges and relabels whole sets.
#include "tests/oracle/mst_oracle.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace emgraph::tests {

std::vector<WeightedEdge> minimum_spanning_forest(std::uint64_t nodes, std::vector<WeightedEdge> edges) {
  for (WeightedEdge& edge : edges) {
    if (edge.target < edge.source) std::swap(edge.source, edge.target);
  }
  std::sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
    return std::tie(a.weight, a.source, a.target) < std::tie(b.weight, b.source, b.target);
  });
  // The set of every node with an edge, and the members of every set. A union relabels the smaller set.
  std::map<std::uint64_t, std::uint64_t> set_of;
  std::map<std::uint64_t, std::vector<std::uint64_t>> members;
  for (const WeightedEdge& edge : edges) {
    for (const std::uint64_t node : {edge.source, edge.target}) {
      if (node < nodes && set_of.emplace(node, node).second) members[node] = {node};
    }
  }
  std::vector<WeightedEdge> forest;
  for (const WeightedEdge& edge : edges) {
    std::uint64_t kept = set_of.at(edge.source);
    std::uint64_t gone = set_of.at(edge.target);
    if (kept == gone) continue;
    if (members[kept].size() < members[gone].size()) std::swap(kept, gone);
    for (const std::uint64_t node : members[gone]) {
      set_of[node] = kept;
      members[kept].push_back(node);
    }
    members.erase(gone);
    forest.push_back(edge);
  }
  std::sort(forest.begin(), forest.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
    return std::tie(a.source, a.target) < std::tie(b.source, b.target);
  });
  return forest;
}

std::uint64_t hash_weight(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  const std::uint64_t low = std::min(a, b);
  const std::uint64_t high = std::max(a, b);
  return ((low * 2654435761ULL) ^ (high * 40503ULL)) % modulus + 1;
}

}  // namespace emgraph::tests
