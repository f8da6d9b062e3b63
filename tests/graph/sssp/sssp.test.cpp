// SPDX-License-Identifier: MIT
// Shortest paths: every queue, model, width, number of threads and way to the solver against the oracle.
#include "graph/sssp/sssp.hpp"

#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "tests/graph/sssp/solve.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::sssp {
namespace {

TEST_CASE("sssp: the zoo, with every queue", "[sssp]") {
  Sample sample(4);
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0 || graph.nodes > 3000) continue;
    for (const WeightType type : all_types) {
      for (const bool directed : {false, true}) {
        const WeightedGraph weighted = with_weights(graph, type, 40, 7);
        for (const Queue queue : all_queues) {
          if (queue == Queue::dial && weighted.floating()) continue;
          CAPTURE(graph.name, type, directed, name(queue));
          const graph::sssp::Options options{
              .queue = queue, .directed = directed, .roots = some_roots(graph.nodes)};
          const Machine machine{.memory_bytes = 64 * core::MiB, .threads = directed ? 1U : 2U};
          if (!sample.takes(machine.threads)) continue;
          check_searches(solve<std::uint32_t>(weighted, machine, options, Way::known), weighted, directed);
        }
      }
    }
  }
}

TEST_CASE("sssp: every model, in little memory, from edges and from pages", "[sssp]") {
  Sample sample(6);
  for (const unsigned seed : {1U, 2U, 3U}) {
    const ZooGraph graph{"random", 700, random_edges(700, 2000, seed)};
    for (const WeightType type : all_types) {
      for (const bool directed : {false, true}) {
        const WeightedGraph weighted = with_weights(graph, type, seed == 1 ? 5 : 1000, seed);
        for (const MemoryModel model : all_models) {
          for (const Way way : {Way::known, Way::unknown, Way::adjacency}) {
            CAPTURE(seed, type, directed, name(model), static_cast<int>(way));
            const graph::sssp::Options options{.model = model, .directed = directed, .roots = {0, 350}};
            const Machine machine{.memory_bytes = (seed == 1 ? 4 : 24) * core::MiB, .threads = seed % 2 + 1};
            if (sample.takes(machine.threads)) {
              check_searches(solve<std::uint32_t>(weighted, machine, options, way), weighted, directed);
            }
            if (sample.takes(machine.threads)) {
              check_searches(solve<std::uint64_t>(weighted, machine, options, way), weighted, directed);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("sssp: lengths of a wide range", "[sssp]") {
  const ZooGraph graph{"random", 300, random_edges(300, 900, 5)};
  const WeightedGraph weighted = with_weights(graph, WeightType::i64, std::uint64_t{1} << 50, 5);
  for (const Queue queue : all_queues) {
    if (queue == Queue::dial) continue;
    for (const std::optional<std::uint64_t>& delta :
         {std::optional<std::uint64_t>(), {std::uint64_t{1} << 40}}) {
      if (delta && queue != Queue::delta_stepping) continue;
      CAPTURE(name(queue));
      const graph::sssp::Options options{.queue = queue, .roots = {0}, .delta = delta};
      check_searches(
          solve<std::uint32_t>(weighted, {.memory_bytes = 64 * core::MiB, .threads = 2}, options, Way::known),
          weighted, false);
    }
  }
  const graph::sssp::Options dial{.queue = Queue::dial, .roots = {0}};
  CHECK_THROWS_AS(solve<std::uint32_t>(weighted, {.memory_bytes = 64 * core::MiB}, dial, Way::known),
                  core::UsageError);
}

TEST_CASE("sssp: a delta far below the lengths leaves the ring of buckets and comes back", "[sssp]") {
  const ZooGraph graph{"random", 200, random_edges(200, 500, 8)};
  const WeightedGraph weighted = with_weights(graph, WeightType::u32, 100000, 8);
  const graph::sssp::Options options{.queue = Queue::delta_stepping, .roots = {0, 1}, .delta = 1};
  for (const unsigned threads : tried_threads({1U, 2U})) {
    check_searches(solve<std::uint32_t>(weighted, {.memory_bytes = 64 * core::MiB, .threads = threads},
                                        options, Way::known),
                   weighted, false);
  }
}

TEST_CASE("sssp: a queue that outgrows the memory gives way to bits", "[sssp]") {
  // A star of hubs: every hub lowers the distances of all leaves, so queues hold many entries of a node.
  constexpr std::uint64_t hubs = 60;
  constexpr std::uint64_t nodes = 60000;
  WeightedGraph graph{{"hubs", nodes, {}}, WeightType::u32, {}};
  const auto add = [&](std::uint64_t from, std::uint64_t to, std::uint64_t length) {
    graph.graph.edges.push_back({from, to});
    graph.weights.push_back(length);
  };
  for (std::uint64_t hub = 1; hub < hubs; ++hub) {
    add(hub - 1, hub, 1);
    for (std::uint64_t leaf = hubs + hub % 3; leaf < nodes; leaf += 3) add(hub, leaf, 5000 - 7 * hub);
  }
  // Rows and distances take 11 MiB, entries of all improvements 9 to 19 MiB.
  Sample sample(3);
  for (const Queue queue : all_queues) {
    if (only_races && queue != Queue::delta_stepping) continue;  // the others use one thread
    bool gave_way = false;
    for (const unsigned threads : tried_threads({1U, 2U})) {
      if (sized(false, threads == 2 && queue != Queue::delta_stepping)) continue;
      CAPTURE(name(queue), threads);
      const Machine machine{.memory_bytes = 15 * core::MiB, .threads = threads};
      const graph::sssp::Options options{
          .model = MemoryModel::internal, .queue = queue, .directed = true, .roots = {0}};
      const Solved solved = solve<std::uint32_t>(graph, machine, options, Way::adjacency);
      check_searches(solved, graph, true);
      gave_way |= solved.result.searches[0].method.find("bits") != std::string::npos;
      const std::vector<graph::sssp::Query> queries{{0, nodes - 1}, {3, hubs}, {nodes - 1, 0}};
      for (const bool paths : {false, true}) {
        if (!sample.takes()) continue;
        // Paths need the reversed rows, too.
        const Machine larger{.memory_bytes = (paths ? 25 : 15) * core::MiB, .threads = threads};
        const Solved answered = solve<std::uint32_t>(graph, larger,
                                                     {.model = MemoryModel::internal,
                                                      .queue = queue,
                                                      .directed = true,
                                                      .queries = queries,
                                                      .paths = paths,
                                                      .bidirectional = false},
                                                     Way::adjacency);
        CHECK(answered.result.queries[0].distance == solved.distances[0][nodes - 1]);
        CHECK(answered.result.queries[2].distance == graph::sssp::IntegerDistances::unreached);
        CHECK(answered.paths.size() == (paths ? queries.size() : 0));
        if (paths) CHECK_FALSE(answered.paths[0].empty());
      }
    }
    if (queue == Queue::heap) CHECK(gave_way);
  }
}

TEST_CASE("sssp: the path through many arcs of length 0 takes no search for each of them", "[sssp]") {
  constexpr std::uint64_t nodes = 20000;
  WeightedGraph graph{{"path", nodes, {}}, WeightType::u32, std::vector<std::uint64_t>(nodes - 1, 0)};
  for (std::uint64_t node = 0; node + 1 < nodes; ++node) graph.graph.edges.push_back({node, node + 1});
  for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
    CAPTURE(name(model));
    const Solved solved =
        solve<std::uint32_t>(graph, {.memory_bytes = 16 * core::MiB},
                             {.model = model, .queries = {{0, nodes - 1}}, .paths = true}, Way::known);
    CHECK(solved.result.queries[0].distance == 0);
    REQUIRE(solved.paths.at(0).size() == nodes);
    CHECK(solved.paths[0][nodes / 2] == nodes / 2);
  }
}

TEST_CASE("sssp: queries between pairs, in every way", "[sssp]") {
  Sample sample(4);
  for (const WeightType type : all_types) {
    for (const bool directed : {false, true}) {
      const ZooGraph graph{"random", 120, random_edges(120, 260, 11)};
      const WeightedGraph weighted = with_weights(graph, type, 9, 11);
      std::vector<graph::sssp::Query> queries;
      for (std::uint64_t i = 0; i < 60; ++i) queries.push_back({i * 7 % 120, i * 31 % 120});
      std::map<std::uint64_t, ShortestPaths> right;
      for (const auto& query : queries) {
        if (!right.contains(query.source)) {
          right[query.source] =
              shortest_paths(120, weighted.arcs(), query.source, directed, weighted.floating());
        }
      }
      const auto check = [&](const graph::sssp::Options& options, std::size_t memory) {
        if (!sample.takes()) return;
        const Solved solved =
            solve<std::uint32_t>(weighted, {.memory_bytes = memory, .threads = 2}, options, Way::known);
        REQUIRE(solved.result.queries.size() == queries.size());
        for (std::size_t i = 0; i < queries.size(); ++i) {
          const graph::sssp::QueryResult& found = solved.result.queries[i];
          const ShortestPaths& paths = right[queries[i].source];
          CAPTURE(queries[i].source, queries[i].target);
          CHECK(found.query == queries[i]);
          CHECK(found.distance == paths.distances[queries[i].target]);
          if (!options.paths) continue;
          std::vector<std::uint64_t> path;
          if (paths.distances[queries[i].target] != graph::sssp::unreached_word(type)) {
            for (std::uint64_t node = queries[i].target; path.empty() || path.back() != queries[i].source;
                 node = paths.parents[node]) {
              path.push_back(node);
            }
            std::reverse(path.begin(), path.end());
          }
          CHECK((solved.paths.at(i) == path));
        }
      };
      for (const MemoryModel model : all_models) {
        CAPTURE(type, directed, name(model));
        check({.model = model, .directed = directed, .queries = queries}, 64 * core::MiB);
        check({.model = model, .directed = directed, .queries = queries, .paths = true}, 64 * core::MiB);
        check({.model = model, .directed = directed, .queries = queries, .landmarks = 3}, 64 * core::MiB);
      }
      for (const Queue queue : all_queues) {
        if (queue == Queue::dial && weighted.floating()) continue;
        CAPTURE(name(queue));
        check({.queue = queue, .directed = directed, .queries = queries, .bidirectional = false},
              64 * core::MiB);
      }
    }
  }
}

// Links between few junctions, each a chain of up to 80 nodes; chains that end, and that come back.
ZooGraph chained_junctions(bool both_ways) {
  constexpr std::uint64_t junctions = 16;
  ZooGraph graph{"chains", junctions, {}};
  std::mt19937_64 random(5);
  const auto link = [&](std::uint64_t from, std::uint64_t to) {
    graph.edges.push_back({from, to});
    if (both_ways) graph.edges.push_back({to, from});
  };
  for (int chain = 0; chain < 40; ++chain) {
    std::uint64_t last = random() % junctions;
    for (std::uint64_t length = random() % 80; length > 0; --length) {
      link(last, graph.nodes);
      last = graph.nodes++;
    }
    if (chain % 8 != 0) link(last, random() % junctions);
  }
  return graph;
}

TEST_CASE("sssp: searches from both ends pass chains without settling their nodes", "[sssp]") {
  for (const bool directed : {false, true}) {
    const WeightedGraph graph = with_weights(chained_junctions(directed), WeightType::u32, 9, 3);
    graph::sssp::Options options{.directed = directed};
    for (std::uint64_t i = 0; i < 200; ++i) {
      options.queries.push_back({i * 7919 % graph.graph.nodes, i * 104729 % graph.graph.nodes});
    }
    const auto answered = [&](bool bidirectional) {
      options.bidirectional = bidirectional;
      return solve<std::uint32_t>(graph, {.memory_bytes = 64 * core::MiB}, options, Way::known).result;
    };
    const graph::sssp::Result both = answered(true), forward = answered(false);
    std::uint64_t settled = 0, settled_forward = 0;
    for (std::size_t i = 0; i < options.queries.size(); ++i) {
      CAPTURE(directed, options.queries[i].source, options.queries[i].target);
      CHECK(both.queries[i].distance == forward.queries[i].distance);
      settled += both.queries[i].settled;
      settled_forward += forward.queries[i].settled;
    }
    CHECK(settled < settled_forward / 8);
  }
}

TEST_CASE("sssp: a landmark whose distances overflow does not cut off a query", "[sssp]") {
  constexpr std::uint64_t most = (std::uint64_t{1} << 63) - 1;
  const WeightedGraph path{{"path", 4, {{0, 1}, {1, 2}, {2, 3}}}, WeightType::i64, {1, most, most}};
  // Node 3 becomes the landmark: node 1 reaches it, and the distance of node 0 does not fit.
  const graph::sssp::Options options{.directed = true, .queries = {{3, 3}, {0, 1}}, .landmarks = 1};
  const Solved solved = solve<std::uint32_t>(path, {.memory_bytes = 24 * core::MiB}, options, Way::known);
  REQUIRE(solved.result.queries.size() == 2);
  CHECK(solved.result.queries[1].distance == 1);
}

TEST_CASE("sssp: a query whose distance does not fit is refused by every model, others are answered",
          "[sssp]") {
  constexpr std::uint64_t most = (std::uint64_t{1} << 63) - 1;
  const std::uint64_t huge = std::bit_cast<std::uint64_t>(1e308);
  const std::vector<WeightedGraph> paths{
      {{"path", 5, {{0, 1}, {1, 2}, {2, 3}}}, WeightType::i64, {most, most, 1}},
      {{"path", 5, {{0, 1}, {1, 2}, {2, 3}}}, WeightType::f64, {huge, huge, huge}}};
  for (const WeightedGraph& path : paths) {
    const std::uint64_t unreached = graph::sssp::unreached_word(path.type);
    for (const MemoryModel model :
         {MemoryModel::internal, MemoryModel::semi_external, MemoryModel::external}) {
      for (const bool both : {false, true}) {
        CAPTURE(path.type, name(model), both);
        const auto distance = [&](std::uint64_t source, std::uint64_t target) {
          const graph::sssp::Options options{
              .model = model, .directed = true, .queries = {{source, target}}, .bidirectional = both};
          return solve<std::uint32_t>(path, {.memory_bytes = 24 * core::MiB}, options, Way::known)
              .result.queries[0]
              .distance;
        };
        CHECK(distance(0, 1) == path.weights[0]);
        CHECK(distance(1, 2) == path.weights[1]);
        CHECK(distance(3, 0) == unreached);
        CHECK(distance(2, 4) == unreached);
        CHECK_THROWS_WITH(distance(0, 3), Catch::Contains("edge (") && Catch::Contains("expected distances"));
      }
    }
  }
}

TEST_CASE("sssp: hash and unit weights count as those of the ids", "[sssp]") {
  const ZooGraph graph{"random", 200, random_edges(200, 600, 3)};
  for (const graph::WeightRule rule : {graph::WeightRule::hash, graph::WeightRule::unit}) {
    WeightedGraph weighted{graph, WeightType::u32, {}};
    const graph::HashWeights hash(50);
    for (const graph::Edge64& edge : graph.edges) {
      const auto [low, high] = graph::low_high(edge.source, edge.target);
      weighted.weights.push_back(rule == graph::WeightRule::unit ? 1 : hash(low, high));
    }
    WeightedGraph other = weighted;  // the stored weights do not count
    for (std::uint64_t& weight : other.weights) weight = 77;
    for (const MemoryModel model : all_models) {
      CAPTURE(name(model));
      const graph::sssp::Options options{
          .model = model, .weighting = {.rule = rule, .modulus = 50}, .roots = {0}};
      check_searches(solve<std::uint32_t>(other, {.memory_bytes = 24 * core::MiB}, options, Way::known),
                     weighted, false);
    }
  }
}

TEST_CASE("sssp: what cannot be a length, a root or a sum is refused", "[sssp]") {
  using Catch::Matchers::Contains;
  WeightedGraph graph{{"path", 3, {{0, 1}, {1, 2}}}, WeightType::i64, {5, static_cast<std::uint64_t>(-4)}};
  const Machine machine{.memory_bytes = 24 * core::MiB};
  for (const MemoryModel model : all_models) {
    CAPTURE(name(model));
    const graph::sssp::Options options{.model = model, .roots = {0}};
    graph.type = WeightType::i64;
    graph.weights = {5, static_cast<std::uint64_t>(-4)};
    CHECK_THROWS_WITH(solve<std::uint32_t>(graph, machine, options, Way::known),
                      Contains("edge 1 (1, 2)") && Contains("-4"));
    CHECK_THROWS_AS(solve<std::uint32_t>(graph, machine, options, Way::adjacency), core::DataError);
    graph.weights = {(std::uint64_t{1} << 63) - 1, (std::uint64_t{1} << 63) - 1};
    CHECK_NOTHROW(solve<std::uint32_t>(graph, machine, options, Way::known));
    WeightedGraph longer{{"path", 4, {{0, 1}, {1, 2}, {2, 3}}}, WeightType::i64, {}};
    longer.weights.assign(3, (std::uint64_t{1} << 63) - 1);
    CHECK_THROWS_AS(solve<std::uint32_t>(longer, machine, options, Way::known), core::DataError);
    graph.type = WeightType::f64;
    graph.weights = {std::bit_cast<std::uint64_t>(1.0),
                     std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN())};
    CHECK_THROWS_AS(solve<std::uint32_t>(graph, machine, options, Way::known), core::DataError);
    graph.weights[1] = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
    CHECK_THROWS_AS(solve<std::uint32_t>(graph, machine, options, Way::known), core::DataError);
    graph.weights = {std::bit_cast<std::uint64_t>(1e308), std::bit_cast<std::uint64_t>(1e308)};
    CHECK_THROWS_AS(solve<std::uint32_t>(graph, machine, options, Way::known), core::DataError);
    graph.type = WeightType::u32;
    graph.weights = {1, 2};
    CHECK_THROWS_AS(solve<std::uint32_t>(graph, machine, {.model = model, .roots = {3}}, Way::known),
                    core::UsageError);
    CHECK_THROWS_AS(solve<std::uint32_t>(graph, machine, {.model = model, .queries = {{0, 3}}}, Way::known),
                    core::UsageError);
  }
}

}  // namespace
}  // namespace emgraph::tests::sssp
