// SPDX-License-Identifier: MIT
// Inputs whose declared order serves as it is, and those that do not keep to what they declare.
#include <algorithm>
#include <set>

#include "core/base/error.hpp"
#include "tests/graph/stats/solve.hpp"

namespace emgraph::tests::stats {
namespace {

using Catch::Matchers::Contains;
using graph::EdgeOrder;
using graph::MemoryModel;
using Edge = graph::Record<std::uint32_t, 0>;

struct Declared {
  const char* name;
  EdgeOrder order;
  bool oriented_low;
  bool symmetric;
};
constexpr Declared declarations[] = {{"low first, by source", EdgeOrder::source_target, true, false},
                                     {"low first, by target", EdgeOrder::target_source, true, false},
                                     {"both directions, by source", EdgeOrder::source_target, false, true},
                                     {"both directions, by target", EdgeOrder::target_source, false, true}};

/// Edges made to hold to the declaration.
EdgeList arranged(EdgeList edges, const Declared& declared) {
  if (declared.oriented_low) {
    for (graph::Edge64& edge : edges) edge = graph::low_high(edge.source, edge.target);
  }
  if (declared.symmetric) {
    const std::size_t half = edges.size();
    for (std::size_t i = 0; i < half; ++i) {
      if (edges[i].source != edges[i].target) edges.push_back({edges[i].target, edges[i].source});
    }
  }
  std::sort(edges.begin(), edges.end(), [&](const graph::Edge64& a, const graph::Edge64& b) {
    return declared.order == EdgeOrder::source_target
               ? std::pair(a.source, a.target) < std::pair(b.source, b.target)
               : std::pair(a.target, a.source) < std::pair(b.target, b.source);
  });
  return edges;
}

VectorSourceOptions declared_source(const Declared& declared, std::optional<std::uint64_t> nodes) {
  VectorSourceOptions source{.facts = facts_with(nodes, declared.order), .rewindable = false};
  source.facts.oriented_low = declared.oriented_low;
  source.facts.symmetric = declared.symmetric;
  return source;
}

TEST_CASE("stats of declared orders are the oracle's, and nothing is sorted again") {
  for (const ZooGraph& graph : graph_zoo()) {
    for (const Declared& declared : declarations) {
      const EdgeList list = arranged(graph.edges, declared);
      const StatsAnswers right = all_stats(graph.nodes, list);
      for (const MemoryModel model :
           {MemoryModel::automatic, MemoryModel::semi_external, MemoryModel::external}) {
        CAPTURE(graph.name, declared.name, name(model));
        const graph::stats::Options options = {.model = model, .directed = true, .hubs = 3};
        const Solved solved = solve(records_of<Edge>(list), {2 * core::MiB, 2, 1},
                                    declared_source(declared, graph.nodes), options);
        check_answers(solved, right, options);
        CHECK(solved.sorted_input);
      }
    }
  }
}

TEST_CASE("stats of declared orders do without n, and say when a forced model cannot") {
  const EdgeList edges = random_edges(2000, 9000, 63);
  for (const Declared& declared : declarations) {
    CAPTURE(declared.name);
    const EdgeList list = arranged(edges, declared);
    const Solved solved = solve(records_of<Edge>(list), {core::MiB, 1, 1},
                                declared_source(declared, std::nullopt), {.directed = true});
    check_answers(solved, all_stats(solved.answers.largest_id + 1, list), {.directed = true});
    if (declared.symmetric) continue;
    CHECK_THROWS_AS(solve(records_of<Edge>(list), {core::MiB, 1, 1}, declared_source(declared, std::nullopt),
                          {.model = MemoryModel::internal}),
                    core::UsageError);
  }
}

TEST_CASE("stats name the edge that breaks the declared order") {
  for (const Declared& declared : declarations) {
    CAPTURE(declared.name);
    EdgeList list = arranged(random_edges(2000, 3000, 64), declared);
    std::swap(list[100], list[2000]);
    CHECK_THROWS_WITH(
        solve(records_of<Edge>(list), {core::MiB, 1, 1}, declared_source(declared, 2000), {}),
        Contains("edges.test: edge 101: ") && Contains("in the order that the header declares"));
  }
  EdgeList list = arranged(random_edges(2000, 3000, 65), declarations[0]);
  list[1500] = {list[1500].source, list[1500].source - 1};
  CHECK_THROWS_AS(
      solve(records_of<Edge>(list), {core::MiB, 1, 1}, declared_source(declarations[0], 2000), {}),
      core::DataError);
  CHECK_THROWS_WITH(
      solve(records_of<Edge>({{5, 7}, {6, 3}}), {core::MiB, 1, 1}, declared_source(declarations[0], 8), {}),
      Contains("edge 1: 6 3 found") && Contains("smaller id first"));
  CHECK_THROWS_WITH(solve(records_of<Edge>({{0, 1}, {1, 0}, {1, 2}}), {core::MiB, 1, 1},
                          declared_source(declarations[2], 3), {}),
                    Contains("expected an even number") && Contains("both directions"));
}

}  // namespace
}  // namespace emgraph::tests::stats
