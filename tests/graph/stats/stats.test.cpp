// SPDX-License-Identifier: MIT
// Facts against the oracle: every model, threads, disks, id widths, memory far below the graph.
#include <string>

#include "tests/graph/stats/solve.hpp"

namespace emgraph::tests::stats {
namespace {

using graph::MemoryModel;
using graph::Record;
using Edge = Record<std::uint32_t, 0>;
using WideEdge = Record<std::uint64_t, 0>;

TEST_CASE("stats of the zoo are the oracle's in every model") {
  for (const ZooGraph& graph : graph_zoo()) {
    const StatsAnswers right = all_stats(graph.nodes, graph.edges);
    for (const MemoryModel model : all_models) {
      for (const bool directed : {false, true}) {
        CAPTURE(graph.name, name(model), directed);
        const graph::stats::Options options = {.model = model, .directed = directed, .hubs = 7};
        check_answers(solve(records_of<Edge>(graph.edges), {2 * core::MiB, 1, 1},
                            {.facts = facts_with(graph.nodes)}, options),
                      right, options);
        check_answers(solve(records_of<WideEdge>(graph.edges), {2 * core::MiB, 2, 2},
                            {.facts = facts_with(graph.nodes), .sampled = true}, options),
                      right, options);
      }
    }
  }
}

TEST_CASE("stats do not depend on threads, disks, memory, or what is known of the input") {
  const EdgeList list = skewed_edges(14, 60000, 61);
  const StatsAnswers right = all_stats(std::uint64_t{1} << 14, list);
  const auto edges = records_of<Edge>(list);
  for (const MemoryModel model :
       {MemoryModel::automatic, MemoryModel::semi_external, MemoryModel::external}) {
    for (const unsigned threads : tried_threads({1U, 2U, 3U})) {
      for (const std::size_t memory : {core::MiB, 4 * core::MiB}) {
        for (const bool known : {true, false}) {
          CAPTURE(name(model), threads, memory, known);
          graph::stats::Options options = {.model = model, .directed = threads == 2};
          VectorSourceOptions source;
          if (known) {
            source.facts.nodes = std::uint64_t{1} << 14;
            source.facts.edges = edges.size();
            source.sampled = true;
          } else {
            source.rewindable = false;
            options.nodes = std::uint64_t{1} << 14;
          }
          check_answers(solve(edges, {memory, threads, threads}, source, options), right, options);
        }
      }
    }
  }
}

TEST_CASE("stats find n if it is not declared") {
  const EdgeList list = random_edges(3000, 20000, 62);
  for (const MemoryModel model : {MemoryModel::automatic, MemoryModel::external}) {
    const Solved solved = solve(records_of<Edge>(list), {2 * core::MiB, 2, 1}, {.rewindable = false},
                                {.model = model, .directed = true});
    check_answers(solved, all_stats(solved.answers.largest_id + 1, list), {.directed = true});
  }
}

TEST_CASE("stats of ids that need nearly 64 bits") {
  const std::uint64_t far = ~std::uint64_t{0} - 5;
  const EdgeList list = {{far, 3}, {3, far}, {far, 3}, {far - 1, far}, {far, far}};
  struct Case {
    const char* name;
    std::optional<std::uint64_t> nodes;
  };
  for (const Case& known : {Case{"declared", far + 1}, Case{"unknown", std::nullopt}}) {
    CAPTURE(known.name);
    TestEnvironment test{.memory_bytes = 4 * core::MiB};
    VectorSource<WideEdge> source(records_of<WideEdge>(list), {.facts = facts_with(known.nodes)});
    const auto result =
        graph::stats::run<WideEdge::id_type>(test.environment, source, {.directed = true}, nullptr);
    CHECK(result.nodes == far + 1);
    CHECK(result.arcs.loops == 1);
    CHECK(result.arcs.duplicate_arcs == 1);
    CHECK(result.arcs.simple_edges == 2);
    CHECK(result.arcs.mutual_pairs == 1);
    CHECK(result.undirected_duplicates() == 2);
    CHECK(result.degrees.isolated_nodes() == far + 1 - 3);
    CHECK(result.smallest_id == 3);
    CHECK(result.largest_id == far);
    REQUIRE(result.degrees.hubs().size() == 3);
    CHECK(result.degrees.hubs()[0].node == far);
    CHECK(result.degrees.hubs()[0].degree == 2);
    CHECK(result.degrees.hubs()[1].node == 3);
    CHECK(result.choice.model == MemoryModel::external);
  }
}

TEST_CASE("wedges of a star are counted beyond 32 bits") {
  EdgeList list;
  for (std::uint64_t node = 1; node <= 100000; ++node) list.push_back({0, node});
  const auto edges = records_of<Edge>(list);
  for (const MemoryModel model : {MemoryModel::semi_external, MemoryModel::external}) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB};
    VectorSource<Edge> source(edges, {.facts = facts_with(100001)});
    const auto result = graph::stats::run<Edge::id_type>(test.environment, source, {.model = model}, nullptr);
    CHECK(result.degrees.wedges() == std::uint64_t{100000} * 99999 / 2);
    CHECK(result.degrees.degree().largest() == 100000);
    CHECK(result.degrees.degree().median() == 1);
  }
}

}  // namespace
}  // namespace emgraph::tests::stats
