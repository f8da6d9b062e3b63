// SPDX-License-Identifier: MIT
// Searches whose first levels are found by readings of all edges.
#include "graph/bfs/near_levels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/graph/bfs/solve.hpp"

namespace emgraph::tests::bfs {
namespace {

using core::MiB;
using graph::MemoryModel;

constexpr std::size_t edges_of_graphs = 70'000;

/// Edges whose ends are mostly nodes of small numbers, which `shift` permutes. The last nodes have no edges.
ZooGraph skewed(std::uint64_t nodes, std::uint64_t seed) {
  std::mt19937_64 words(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  ZooGraph graph{"skewed", nodes + 3, {}};
  const auto node = [&] {
    const double u = uniform(words);
    return static_cast<std::uint64_t>(static_cast<double>(nodes) * u * u * u * u) * 7919 % nodes;
  };
  for (std::size_t i = 0; i < edges_of_graphs; ++i) graph.edges.push_back({node(), node()});
  return graph;
}

/// The same beside a path of `length` nodes, with an edge between them or without. The path comes last.
ZooGraph with_path(ZooGraph graph, std::uint64_t length, bool joined) {
  graph.name = joined ? "joined path" : "other path";
  const std::uint64_t first = graph.nodes;
  graph.nodes += length;
  for (std::uint64_t v = first; v + 1 < graph.nodes; ++v) graph.edges.push_back({v + 1, v});
  if (joined) graph.edges.push_back({first, graph.edges.front().source});
  return graph;
}

/// All answers of a search in the semi-external model against the oracle. Returns how levels were found.
template <class Id>
std::string check_search(const ZooGraph& graph, const std::optional<std::uint64_t>& root, bool directed,
                         unsigned threads, bool known) {
  CAPTURE(graph.name, root.value_or(~std::uint64_t{0}), directed, threads, known);
  graph::bfs::Options options{.model = MemoryModel::semi_external, .directed = directed};
  if (root) options.roots = {*root};
  const Solved solved = solve<Id>(graph, {32 * MiB, threads, 1}, options, bfs::Way::file, known);
  const std::uint64_t nodes = known ? graph.nodes : nodes_of(graph.edges);
  const std::uint64_t right = root ? *root : default_root(nodes, graph.edges, directed);
  CHECK(solved.result.choice.model == MemoryModel::semi_external);
  REQUIRE(solved.result.traversals.size() == 1);
  CHECK(solved.result.traversals[0].root == right);
  check_traversal(solved, 0, breadth_first(nodes, graph.edges, right, directed));
  return solved.result.traversals[0].method;
}

const auto by_readings = Catch::Contains("by readings of all edges");

TEST_CASE("bfs: first levels by readings, from roots of large and small degree") {
  const ZooGraph graph = skewed(8000, 1);
  for (const bool directed : {false, true}) {
    const std::uint64_t hub = default_root(graph.nodes, graph.edges, directed);
    CHECK_THAT(check_search<std::uint32_t>(graph, hub, directed, 1, true), by_readings);
    CHECK_THAT(check_search<std::uint32_t>(graph, hub, directed, 3, false), by_readings);
    CHECK_THAT(check_search<std::uint32_t>(graph, std::nullopt, directed, 1, false), by_readings);
    CHECK_THAT(check_search<std::uint32_t>(graph, std::nullopt, directed, 2, true), by_readings);
    for (const std::uint64_t root : {std::uint64_t{1}, std::uint64_t{7919}, graph.edges.back().source}) {
      check_search<std::uint32_t>(graph, root, directed, 2, true);
    }
  }
}

TEST_CASE("bfs: a root without neighbours ends the search after a reading") {
  const ZooGraph graph = skewed(5000, 2);
  const std::string method = check_search<std::uint32_t>(graph, graph.nodes - 1, false, 2, true);
  CHECK_THAT(method, Catch::StartsWith("1 level by readings"));
}

TEST_CASE("bfs: levels behind the first ones, and roots from which levels grow slowly") {
  const ZooGraph joined = with_path(skewed(5000, 3), 30, true);
  const ZooGraph other = with_path(skewed(5000, 3), 30, false);
  CHECK_THAT(check_search<std::uint32_t>(joined, std::nullopt, false, 2, true), by_readings);
  for (const ZooGraph* graph : {&joined, &other}) {
    const std::string method = check_search<std::uint32_t>(*graph, graph->nodes - 1, false, 2, true);
    CHECK(method.find("readings") == std::string::npos);
  }
}

TEST_CASE("bfs: of nodes of the largest degree the smallest is the root; duplicates do not count") {
  ZooGraph graph{"hubs", 9000, {}};
  // Nodes 40 and 20 have 3000 neighbours, node 10 has 2999 and most edges.
  for (std::uint64_t i = 0; i < 3000; ++i) {
    graph.edges.push_back({40, 100 + i});
    graph.edges.push_back({3200 + i, 20});
    for (std::uint64_t copy = 0; copy < 3; ++copy) graph.edges.push_back({10, 6200 + i % 2700});
  }
  for (std::uint64_t i = 2700; i < 2999; ++i) graph.edges.push_back({10, 400 + i - 2700});
  while (graph.edges.size() < edges_of_graphs) graph.edges.push_back({10, 6200});
  for (const bool directed : {false, true}) {
    CHECK_THAT(check_search<std::uint32_t>(graph, std::nullopt, directed, 2, true), by_readings);
  }
  // A node that is no candidate may have more neighbours than the candidates: then edges are sorted.
  ZooGraph loops{"loops", 9000, {}};
  for (std::uint64_t hub = 0; hub < 40; ++hub) {
    for (int i = 0; i < 2000; ++i) loops.edges.push_back({hub, 100});
  }
  for (std::uint64_t i = 0; i < 500; ++i) loops.edges.push_back({50, 200 + i});
  const std::string method = check_search<std::uint32_t>(loops, std::nullopt, true, 2, true);
  CHECK(method.find("readings") == std::string::npos);
}

TEST_CASE("bfs: a root that is no node, and ids beyond n, are refused by the first reading") {
  const ZooGraph graph = skewed(5000, 4);
  const auto refused = [&](graph::bfs::Options options) {
    options.model = MemoryModel::semi_external;
    return solve<std::uint32_t>(graph, {32 * MiB, 2, 1}, options, bfs::Way::file, false);
  };
  CHECK_THROWS_AS(refused({.roots = {1'000'000}}), core::UsageError);
  CHECK_THROWS_AS(refused({.roots = {1}, .nodes = 100}), core::DataError);
  CHECK_THROWS_AS(refused({.nodes = 100}), core::DataError);
}

}  // namespace
}  // namespace emgraph::tests::bfs
