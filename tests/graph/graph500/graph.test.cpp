// SPDX-License-Identifier: MIT
// Kernel 1 in memory: every edge is in the rows of both ends, and rows are in the order of ranges.
#include "graph/graph500/graph.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "tests/support/sample.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::graph::graph500 {
namespace {

using Entry = std::tuple<std::uint32_t, std::uint32_t, float>;

std::vector<Entry> both_directions(const EdgeList& list) {
  std::vector<Edge32> edges(list.count);
  std::vector<float> weights(list.count);
  list.edges.fill<std::uint32_t>(0, edges, weights);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [source, target] = edges[i];
    if (source == target) continue;
    entries.emplace_back(source, target, weights[i]);
    entries.emplace_back(target, source, weights[i]);
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

TEST_CASE("graph500 graph: rows have both directions of every edge, in the order of ranges") {
  const unsigned scale = GENERATE(1u, 4u, 9u, tests::sized(13u, 11u));
  const unsigned threads = GENERATE(1u, 2u, 3u);
  const bool neighbours = GENERATE(true, false);
  const bool arcs = GENERATE(true, false);
  if (!neighbours && !arcs) return;
  if (tests::only_races && threads == 1) return;
  const GraphParts parts{.neighbours = neighbours, .arcs = arcs};
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{17} << scale};
  tests::TestEnvironment test{.memory_bytes = 64 * core::MiB, .threads = threads};
  const std::unique_ptr<Graph> graph = build_graph(test.environment, list, parts);
  const std::vector<Entry> expected = both_directions(list);
  REQUIRE(graph->entries() == expected.size());
  CHECK(test.memory.peak() <= graph_bytes(graph->nodes(), list.count, parts, threads).construction);

  if (neighbours) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted;
    for (const auto& [source, target, weight] : expected) wanted.emplace_back(source, target);
    bool in_order = true;
    for (std::uint32_t node = 0; node < graph->nodes(); ++node) {
      for (std::uint64_t i = graph->begin(node); i < graph->end(node); ++i) {
        const std::uint32_t target = graph->neighbours()[i];
        if (i > graph->begin(node)) {
          in_order &= graph->target_range(graph->neighbours()[i - 1]) <= graph->target_range(target);
        }
        found.emplace_back(node, target);
      }
    }
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    CHECK(in_order);
    CHECK(found == wanted);
  }
  if (arcs) {
    std::vector<Entry> found;
    bool in_order = true;
    for (const ArcRow& row : graph->rows()) {
      for (std::uint64_t i = row.begin; i < row.begin + row.degree; ++i) {
        const Arc& arc = graph->arcs()[i];
        if (i > row.begin) {
          in_order &= Graph::weight_range(graph->arcs()[i - 1].weight) <= Graph::weight_range(arc.weight);
        }
        in_order &= Graph::least_weight(arc.weight) <= double{arc.weight};
        in_order &= double{arc.weight} < Graph::weight_bound(arc.weight);
        found.emplace_back(row.node, graph->rows()[arc.target].node, arc.weight);
      }
    }
    std::sort(found.begin(), found.end());
    CHECK(in_order);
    CHECK(found == expected);
  }
}

}  // namespace
}  // namespace emgraph::graph::graph500
