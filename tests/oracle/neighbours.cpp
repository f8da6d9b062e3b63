// SPDX-License-Identifier: MIT
// Sorts the arcs. Sets would take most of the time of a sanitizer build, which counts each allocation.
#include "tests/oracle/neighbours.hpp"

#include <algorithm>

namespace emgraph::tests {
namespace {

struct Arc {
  std::uint64_t source;
  std::uint64_t target;
  auto operator<=>(const Arc&) const = default;
};

}  // namespace

Neighbours::Neighbours(std::uint64_t nodes, const std::vector<graph::Edge64>& edges, bool directed) {
  std::vector<Arc> arcs;
  arcs.reserve((directed ? 1 : 2) * edges.size());
  for (const graph::Edge64& edge : edges) {
    nodes = std::max({nodes, edge.source + 1, edge.target + 1});
    if (edge.source == edge.target) continue;
    arcs.push_back({edge.source, edge.target});
    if (!directed) arcs.push_back({edge.target, edge.source});
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  starts_.assign(nodes + 1, 0);
  targets_.reserve(arcs.size());
  for (const Arc& arc : arcs) {
    ++starts_[arc.source + 1];
    targets_.push_back(arc.target);
  }
  for (std::uint64_t v = 0; v < nodes; ++v) starts_[v + 1] += starts_[v];
}

bool Neighbours::joined(std::uint64_t node, std::uint64_t other) const {
  const auto list = of(node);
  return std::binary_search(list.begin(), list.end(), other);
}

}  // namespace emgraph::tests
