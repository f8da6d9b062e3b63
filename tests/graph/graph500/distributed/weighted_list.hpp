// SPDX-License-Identifier: MIT
// Edge lists in memory for the searches over ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/generate/graph500.hpp"
#include "graph/graph500/distributed/local_graph.hpp"

namespace emgraph::tests {

namespace distributed = graph::graph500::distributed;
using graph::Edge64;

struct WeightedList {
  std::uint64_t nodes = 0;
  std::vector<Edge64> edges;
  std::vector<float> weights;
};

inline distributed::EdgeList list_of(const WeightedList& graph) {
  return {graph.nodes, graph.edges.size(),
          [&graph](std::uint64_t first, std::span<Edge64> edges, std::span<float> weights) {
            for (std::size_t i = 0; i < edges.size(); ++i) {
              edges[i] = graph.edges[first + i];
              weights[i] = graph.weights[first + i];
            }
          }};
}

inline WeightedList graph500_list(unsigned scale) {
  const graph::generate::Graph500Edges generator(scale);
  WeightedList list{generator.nodes(), std::vector<Edge64>(16 * generator.nodes()),
                    std::vector<float>(16 * generator.nodes())};
  generator.fill(0, std::span(list.edges), std::span(list.weights));
  return list;
}

}  // namespace emgraph::tests
