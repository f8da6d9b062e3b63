// SPDX-License-Identifier: MIT
// Shortest paths on rows from one reading of an input.
#include "graph/sssp/quick_rows.hpp"

#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "tests/graph/sssp/solve.hpp"

namespace emgraph::tests::sssp {
namespace {

std::vector<ZooGraph> graphs() {
  std::vector<ZooGraph> graphs;
  for (ZooGraph& graph : graph_zoo()) {
    if (graph.nodes > 0 && graph.nodes <= 3000) graphs.push_back(std::move(graph));
  }
  graphs.push_back({"skewed", 1U << 13, skewed_edges(13, 60000, 42)});
  ZooGraph star{"a bucket that is larger than its copy", 20000, {}};
  for (std::uint64_t v = 1; v < star.nodes; ++v) star.edges.push_back({7000, v});
  graphs.push_back(std::move(star));
  return graphs;
}

template <class R>
bool quick_rows(const WeightedGraph& graph, const Machine& machine, const graph::sssp::Options& options,
                VectorSourceOptions file, graph::sssp::BuiltGraph<std::uint32_t>& built) {
  TestEnvironment test = environment_of(machine);
  VectorSource<R> source(weighted_records<R>(graph), std::move(file));
  graph::sssp::Demand demand;
  demand.arc_bytes = graph::sssp::arc_bytes<std::uint32_t>(graph.type);
  built.lengths.type = graph.type;
  const bool made = graph::sssp::build_quick_rows(test.environment, source, options, demand, built);
  built.rows.reset();  // before the memory that it is charged to
  return made;
}

TEST_CASE("sssp: rows from one reading, of every kind of weight", "[sssp][rows]") {
  for (const ZooGraph& graph : graphs()) {
    for (const WeightType type : all_types) {
      for (const bool directed : {false, true}) {
        const unsigned threads = directed ? 1 : 3;
        CAPTURE(graph.name, type, directed, threads);
        const WeightedGraph weighted = with_weights(graph, type, 40, 7);
        const Machine machine{.memory_bytes = 64 * core::MiB, .threads = threads};
        const graph::sssp::Options options{.directed = directed, .roots = some_roots(graph.nodes)};
        check_searches(solve<std::uint32_t>(weighted, machine, options, Way::file), weighted, directed);

        graph::sssp::BuiltGraph<std::uint32_t> built;
        const auto file = weighted_source_options<std::uint32_t>(weighted, Way::file, false);
        REQUIRE((graph::weight_bytes(type) == 4
                     ? quick_rows<graph::Record<std::uint32_t, 4>>(weighted, machine, options, file, built)
                     : quick_rows<graph::Record<std::uint32_t, 8>>(weighted, machine, options, file, built)));
        std::uint64_t arcs = 0;
        std::uint64_t longest = 0;
        for (const LengthArc& arc : weighted.arcs()) {
          if (arc.source == arc.target) continue;
          arcs += directed ? 1 : 2;
          longest = std::max(longest, arc.length);
        }
        CHECK(built.nodes == graph.nodes);
        CHECK(built.edges == graph.edges.size());
        CHECK(built.lengths.entries == arcs);
        CHECK(built.lengths.longest == longest);
      }
    }
  }
}

TEST_CASE("sssp: inputs and questions that one reading does not suit", "[sssp][rows]") {
  const WeightedGraph graph =
      with_weights({"random", 3000, random_edges(3000, 9000, 5)}, WeightType::u32, 9, 5);
  const auto quick = [&](const graph::sssp::Options& options, const VectorSourceOptions& file) {
    graph::sssp::BuiltGraph<std::uint32_t> built;
    return quick_rows<graph::Record<std::uint32_t, 4>>(graph, {.memory_bytes = 64 * core::MiB}, options, file,
                                                       built);
  };
  const VectorSourceOptions file = weighted_source_options<std::uint32_t>(graph, Way::file, false);
  CHECK(quick({.roots = {0}}, file));
  CHECK_FALSE(quick({.model = MemoryModel::semi_external, .roots = {0}}, file));
  VectorSourceOptions other = file;
  other.quick_to_reread = false;
  CHECK(quick({.roots = {0}}, other));
  other.facts.nodes.reset();
  CHECK_FALSE(quick({.roots = {0}}, other));
  other = file;
  other.facts.symmetric = true;  // the weights of the two directions may differ
  CHECK_FALSE(quick({.roots = {0}}, other));
  CHECK(quick({.directed = true, .queries = {{0, 1}}, .bidirectional = false}, file));
  CHECK_FALSE(quick({.directed = true, .queries = {{0, 1}}, .paths = true}, file));  // reversed rows as well
}

TEST_CASE("sssp: a weight that is no length is refused by its edge, on rows from one reading",
          "[sssp][rows]") {
  WeightedGraph graph = with_weights({"random", 3000, random_edges(3000, 9000, 5)}, WeightType::i64, 9, 5);
  graph.weights[5000] = ~std::uint64_t{0};
  for (const unsigned threads : {1U, 3U}) {
    const Machine machine{.memory_bytes = 64 * core::MiB, .threads = threads};
    CHECK_THROWS_WITH(solve<std::uint32_t>(graph, machine, {.roots = {0}}, Way::file),
                      Catch::Contains("edge 5000") && Catch::Contains("-1"));
  }
}

}  // namespace
}  // namespace emgraph::tests::sssp
