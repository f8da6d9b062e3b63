// SPDX-License-Identifier: MIT
// Sorts the edges and relabels whole sets.
#include "tests/oracle/mst_oracle.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace emgraph::tests {

std::vector<WeightedEdge> minimum_spanning_forest(std::uint64_t nodes, std::vector<WeightedEdge> edges) {
  for (WeightedEdge& edge : edges) {
    if (edge.target < edge.source) std::swap(edge.source, edge.target);
  }
  std::sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
    return std::tie(a.weight, a.source, a.target) < std::tie(b.weight, b.source, b.target);
  });
  std::vector<std::uint64_t> ids;  // of the nodes with an edge; a place among them stands for a node
  for (const WeightedEdge& edge : edges) ids.insert(ids.end(), {edge.source, edge.target});
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (!ids.empty() && ids.back() >= nodes) throw std::out_of_range("an id is not below n");
  const auto place_of = [&](std::uint64_t id) {
    return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  // The set of each place, its size, and the next place of the same set, in a ring. A union relabels the
  // smaller set.
  std::vector<std::size_t> set_of(ids.size());
  std::vector<std::size_t> next(ids.size());
  std::vector<std::size_t> sizes(ids.size(), 1);
  for (std::size_t i = 0; i < ids.size(); ++i) set_of[i] = next[i] = i;
  std::vector<WeightedEdge> forest;
  for (const WeightedEdge& edge : edges) {
    std::size_t kept = set_of[place_of(edge.source)];
    std::size_t gone = set_of[place_of(edge.target)];
    if (kept == gone) continue;
    if (sizes[kept] < sizes[gone]) std::swap(kept, gone);
    std::size_t place = gone;
    do {
      set_of[place] = kept;
      place = next[place];
    } while (place != gone);
    std::swap(next[kept], next[gone]);  // joins the rings
    sizes[kept] += sizes[gone];
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
