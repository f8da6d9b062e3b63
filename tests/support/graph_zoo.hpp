// SPDX-License-Identifier: MIT
// Small named graphs: degenerate, regular, skewed and adversarial.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/memory_model.hpp"
#include "graph/types.hpp"

namespace emgraph::tests {

/// What a test of a solver may ask for.
inline constexpr graph::MemoryModel all_models[] = {
    graph::MemoryModel::automatic, graph::MemoryModel::internal, graph::MemoryModel::semi_external,
    graph::MemoryModel::external};

using EdgeList = std::vector<graph::Edge64>;

struct ZooGraph {
  std::string name;
  std::uint64_t nodes = 0;
  EdgeList edges;
};

/// n of a graph without a declared n: the largest id + 1.
inline std::uint64_t nodes_of(const EdgeList& edges) {
  std::uint64_t nodes = 0;
  for (const graph::Edge64& edge : edges) nodes = std::max({nodes, edge.source + 1, edge.target + 1});
  return nodes;
}

/// The graph without isolated nodes at the end, so that its n is the same if it is not declared.
inline ZooGraph without_last_isolated(ZooGraph graph) {
  graph.nodes = nodes_of(graph.edges);
  return graph;
}

/// `count` edges with uniform ends below `nodes`; loops and duplicates occur.
EdgeList random_edges(std::uint64_t nodes, std::size_t count, std::uint64_t seed);

/// Kronecker-like: for every bit of both ends the heavy quadrant is the most likely one.
EdgeList skewed_edges(unsigned scale, std::size_t count, std::uint64_t seed);

/// Every edge leads from the lower to the upper half of the ids, so all sources are members and send
/// messages.
inline EdgeList bipartite_edges(std::uint64_t nodes, std::size_t count, std::uint64_t seed) {
  EdgeList edges = random_edges(nodes / 2, count, seed);
  for (graph::Edge64& edge : edges) edge.target += nodes / 2;
  return edges;
}

inline std::vector<ZooGraph> graph_zoo() {
  std::vector<ZooGraph> zoo;
  const auto add = [&](const char* name, std::uint64_t nodes, EdgeList edges = {}) {
    zoo.push_back({name, nodes, std::move(edges)});
  };
  const auto make = [](std::uint64_t count, auto&& edge) {
    EdgeList edges;
    for (std::uint64_t i = 0; i < count; ++i) edges.push_back(edge(i));
    return edges;
  };
  using E = graph::Edge64;
  add("no nodes", 0);
  add("one node", 1);
  add("no edges", 1000);
  add("one loop", 3, {{1, 1}});
  add("loop at 0", 1, {{0, 0}});
  add("one edge both ways", 2, {{1, 0}, {0, 1}});
  add("path", 500, make(499, [](std::uint64_t i) { return E{i, i + 1}; }));
  add("path from the end", 500, make(499, [](std::uint64_t i) { return E{499 - i, 498 - i}; }));
  add("odd cycle", 301, make(301, [](std::uint64_t i) { return E{i, (i + 1) % 301}; }));
  add("star, hub 0", 400, make(399, [](std::uint64_t i) { return E{i + 1, 0}; }));
  add("star, hub last", 400, make(399, [](std::uint64_t i) { return E{399, i}; }));
  add("complete", 40, make(1600, [](std::uint64_t i) { return E{i / 40, i % 40}; }));
  add("complete bipartite", 60, make(900, [](std::uint64_t i) { return E{2 * (i / 30), 2 * (i % 30) + 1}; }));
  EdgeList grid;
  for (std::uint64_t v = 0; v < 900; ++v) {
    if (v % 30 != 29) grid.push_back({v, v + 1});
    if (v < 870) grid.push_back({v + 30, v});
  }
  add("grid", 900, std::move(grid));
  add("random sparse", 3000, random_edges(3000, 2500, 3));
  add("random dense", 100, random_edges(100, 8000, 4));
  add("skewed", 2048, skewed_edges(11, 12000, 5));
  add("all edges equal", 10, EdgeList(3000, E{7, 2}));
  add("all loops equal", 10, EdgeList(3000, E{4, 4}));
  EdgeList hub = random_edges(1000, 500, 6);
  hub.insert(hub.end(), 10000, E{500, 700});
  std::shuffle(hub.begin(), hub.end(), std::mt19937_64(7));
  add("hub with 10,000 duplicates", 1000, std::move(hub));
  add("two far ids", 70001, {{70000, 3}, {3, 69999}});
  EdgeList sorted = random_edges(700, 3000, 8);
  std::sort(sorted.begin(), sorted.end());
  add("sorted", 700, sorted);
  std::reverse(sorted.begin(), sorted.end());
  add("reverse sorted", 700, std::move(sorted));
  add("isolated nodes at the end", 5000, random_edges(64, 200, 9));
#if defined(__SANITIZE_THREAD__)
  // Races do not depend on the shapes of small graphs; answers and bounds do, and the other builds run all of
  // them.
  std::erase_if(zoo, [](const ZooGraph& graph) {
    return graph.name != "no nodes" && graph.name != "path" && graph.name != "grid" &&
           graph.name != "skewed" && graph.name != "hub with 10,000 duplicates" &&
           graph.name != "two far ids";
  });
#endif
  return zoo;
}

}  // namespace emgraph::tests
