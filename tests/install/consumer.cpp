// SPDX-License-Identifier: MIT
// Uses the installed libraries the way the sources do: includes are written from the root of the include
// directory.
#include <vector>

#include "core/memory/budget.hpp"
#include "graph/generate/model.hpp"

int main() {
  emgraph::core::MemoryBudget budget(1 << 20);
  const auto reservation = budget.reserve(1 << 10, "edges");

  const auto model = emgraph::graph::generate::make_model({.nodes = 100, .edges = 10});
  std::vector<emgraph::graph::Edge32> edges(10);
  emgraph::graph::generate::fill<std::uint32_t>(model, 0, edges);
  for (const auto& edge : edges) {
    if (edge.source >= 100 || edge.target >= 100) return 1;
  }
  return budget.used() == 1 << 10 ? 0 : 1;
}
