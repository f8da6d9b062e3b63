// SPDX-License-Identifier: MIT
// The solver against the oracle: the same forest from every model on every machine.
#include "graph/mst/mst.hpp"

#include <algorithm>

#include "tests/graph/mst/solve.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::mst {
namespace {

using graph::Record;

/// The weights that edges without any get by a rule.
WeightedList with_rule(const EdgeList& edges, WeightRule rule) {
  WeightedList list;
  for (const graph::Edge64& edge : edges) {
    const std::uint64_t weight =
        rule == WeightRule::hash ? hash_weight(edge.source, edge.target, 1000) : std::uint64_t{1};
    list.push_back({edge.source, edge.target, static_cast<long double>(weight)});
  }
  return list;
}

template <class R>
void check_graph(const ZooGraph& graph, WeightType type, WeightRule rule, const Machine& machine,
                 Sample& sample) {
  const WeightedList list =
      rule == WeightRule::stored ? with_random_weights(graph.edges, type) : with_rule(graph.edges, rule);
  const WeightedList right = minimum_spanning_forest(graph.nodes, list);
  const std::vector<R> edges = weighted_records<R>(list, type);
  for (const MemoryModel model : all_models) {
    for (const bool known : {true, false}) {
      if (!sample.takes(machine.threads)) continue;
      CAPTURE(graph.name, sizeof(R), static_cast<int>(type), static_cast<int>(rule), static_cast<int>(model));
      CAPTURE(known, machine.memory_bytes, machine.threads, machine.disks);
      VectorSourceOptions source{.facts = weighted_facts(std::nullopt, type, sizeof(typename R::id_type)),
                                 .rewindable = machine.disks % 2 == 1,
                                 .sampled = machine.threads == 2};
      if (known) source.facts.nodes = graph.nodes;
      if (known == (machine.disks < 3)) source.facts.edges = edges.size();
      const Solved solved = solve<R>(edges, machine, source, with_model(model, rule));
      CHECK((solved.forest == right));
      CHECK(solved.result.nodes == (known ? graph.nodes : nodes_of(graph.edges)));
      if (model == MemoryModel::external && solved.result.nodes > 1) {
        CHECK(solved.result.choice.model == MemoryModel::external);
        CHECK(solved.result.ranges > 1);
      }
    }
  }
}

TEST_CASE("mst of every graph is the oracle's for every model, weight type, id width and machine") {
  constexpr std::size_t memory = 2 * core::MiB;
  Sample sample(3);
  for (const ZooGraph& graph : graph_zoo()) {
    check_graph<Record<std::uint32_t, 4>>(graph, WeightType::u32, WeightRule::stored, {memory, 1, 1}, sample);
    check_graph<Record<std::uint64_t, 8>>(graph, WeightType::u32, WeightRule::stored, {memory, 2, 2}, sample);
    check_graph<Record<std::uint32_t, 8>>(graph, WeightType::i64, WeightRule::stored, {memory, 2, 3}, sample);
    check_graph<Record<std::uint64_t, 8>>(graph, WeightType::i64, WeightRule::stored, {memory, 1, 4}, sample);
    check_graph<Record<std::uint32_t, 4>>(graph, WeightType::f32, WeightRule::stored, {memory, 2, 1}, sample);
    check_graph<Record<std::uint64_t, 8>>(graph, WeightType::f64, WeightRule::stored, {memory, 2, 1}, sample);
    check_graph<Record<std::uint32_t, 0>>(graph, WeightType::none, WeightRule::hash, {memory, 2, 1}, sample);
    check_graph<Record<std::uint64_t, 0>>(graph, WeightType::none, WeightRule::unit, {memory, 1, 2}, sample);
    check_graph<Record<std::uint32_t, 4>>(graph, WeightType::f32, WeightRule::hash, {memory, 1, 3}, sample);
  }
}

TEST_CASE("mst of random graphs that do not fit in memory") {
  Sample sample(3);
  for (const ZooGraph& graph : {ZooGraph{"random", 30000, random_edges(30000, 200000, 11)},
                                ZooGraph{"skewed", 32768, skewed_edges(15, 200000, 12)}}) {
    const WeightedList list = with_rule(graph.edges, WeightRule::hash);
    const WeightedList right = minimum_spanning_forest(graph.nodes, list);
    const auto edges = weighted_records<Record<std::uint32_t, 4>>(list, WeightType::u32);
    for (const bool sampled : {false, true}) {
      for (const bool rewindable : {false, true}) {
        for (const auto& [model, memory] :
             {std::pair{MemoryModel::automatic, core::MiB}, std::pair{MemoryModel::semi_external, core::MiB},
              std::pair{MemoryModel::semi_external, 640 * core::KiB},
              std::pair{MemoryModel::external, 768 * core::KiB}}) {
          CAPTURE(graph.name, sampled, rewindable, static_cast<int>(model), memory);
          VectorSourceOptions source{.facts = weighted_facts(graph.nodes, WeightType::u32),
                                     .rewindable = rewindable,
                                     .sampled = sampled};
          source.facts.edges = edges.size();
          const Machine machine{memory, sampled ? 2U : 1U, rewindable ? 1U : 4U};
          if (!sample.takes(machine.threads)) continue;
          const Solved solved = solve(edges, machine, source, with_model(model));
          CHECK((solved.forest == right));
          if (model == MemoryModel::external) CHECK(solved.write_bytes > 100000);
          if (model != MemoryModel::external) CHECK(solved.result.choice.model == MemoryModel::semi_external);
        }
      }
    }
  }
}

TEST_CASE("mst goes on in ranges when a pipe turns out to have too many nodes") {
  constexpr std::uint64_t nodes = 600000;  // 2.3 MiB at 4 bytes per node
  const WeightedList list = with_random_weights(random_edges(nodes, 90000, 13), WeightType::u32);
  const WeightedList right = minimum_spanning_forest(nodes, list);
  for (const bool rewindable : {false, true}) {
    for (const bool known : {false, true}) {
      if (sized(false, rewindable != known)) continue;
      VectorSourceOptions source{.facts = weighted_facts(std::nullopt, WeightType::u32),
                                 .rewindable = rewindable,
                                 .sampled = rewindable};
      if (known) source.facts.nodes = nodes;
      const auto check = [&](const auto& edges, std::size_t memory) {
        CAPTURE(rewindable, known, sizeof(edges[0]));
        const Solved solved = solve(edges, {memory, 2, 2}, source, {});
        CHECK((solved.forest == right));
        CHECK(solved.result.ranges > 4);
      };
      check(weighted_records<Record<std::uint32_t, 4>>(list, WeightType::u32), core::MiB);
      source.facts.layout.id_bytes = 8;
      check(weighted_records<Record<std::uint64_t, 8>>(list, WeightType::u32), core::MiB * 5 / 4);
    }
  }
}

TEST_CASE("mst starts again when the sample missed large weights or ids") {
  WeightedList list;
  for (const graph::Edge64& edge : random_edges(1000, 40000, 14)) {
    list.push_back(
        {edge.source, edge.target, static_cast<long double>(hash_weight(edge.source, edge.target, 50))});
  }
  // Edges at odd places are not in the sample.
  WeightedList heavy = list;
  heavy[20001] = {7, 1000, 4000000000.0L};
  WeightedList far = list;
  far[30001] = {8, 4000000, 3};
  for (const WeightedList& one : {heavy, far}) {
    const WeightedList right = minimum_spanning_forest(5000000, one);
    for (const MemoryModel model : {MemoryModel::automatic, MemoryModel::external}) {
      VectorSourceOptions source{.facts = weighted_facts(std::nullopt, WeightType::u32), .sampled = true};
      const auto edges = weighted_records<Record<std::uint32_t, 4>>(one, WeightType::u32);
      const Solved solved = solve(edges, {4 * core::MiB, 2, 1}, source, with_model(model));
      CHECK((solved.forest == right));
      if (only_races) continue;
      source.facts.layout.id_bytes = 8;
      const auto wide = weighted_records<Record<std::uint64_t, 8>>(one, WeightType::u32);
      CHECK((solve(wide, {4 * core::MiB, 1, 1}, source, with_model(model)).forest == right));
    }
  }
}

TEST_CASE("mst says how much memory ids beyond 4 bytes ask for") {
  constexpr std::uint64_t nodes = 5000000000;
  WeightedList list = with_random_weights(random_edges(nodes, 300, 15), WeightType::f64);
  list.push_back({0, nodes - 1, 0.5});
  const auto edges = weighted_records<Record<std::uint64_t, 8>>(list, WeightType::f64);
  const VectorSourceOptions source{.facts = weighted_facts(nodes, WeightType::f64, 8)};
  CHECK_THROWS_AS(solve(edges, {core::MiB, 1, 1}, source, {}), core::MemoryLimitError);
}

TEST_CASE("mst sums integer weights exactly, beyond 64 bits") {
  WeightedList list;
  for (std::uint64_t i = 0; i < 5; ++i) list.push_back({i, i + 1, 9223372036854775807.0L});
  const auto edges = weighted_records<Record<std::uint32_t, 8>>(list, WeightType::i64);
  const auto sum = solve(edges, {}, {.facts = weighted_facts(6, WeightType::i64)}, {}).result.weight;
  CHECK(sum.is_integer());
  CHECK(sum.integer_text() == "46116860184273879035");
  for (WeightedEdge& edge : list) edge.weight = -9223372036854775808.0L;
  const auto negative = weighted_records<Record<std::uint32_t, 8>>(list, WeightType::i64);
  CHECK(solve(negative, {}, {.facts = weighted_facts(6, WeightType::i64)}, {}).result.weight.integer_text() ==
        "-46116860184273879040");
}

TEST_CASE("mst sums floating-point weights the same in every model") {
  std::mt19937_64 random(16);
  WeightedList list;
  for (const graph::Edge64& edge : random_edges(2000, 8000, 17)) {
    const double weight =
        std::ldexp(static_cast<double>(random() % 1000000) - 300000, static_cast<int>(random() % 60));
    list.push_back({edge.source, edge.target, weight});
  }
  long double exact = 0;
  for (const WeightedEdge& edge : minimum_spanning_forest(2000, list)) exact += edge.weight;
  const auto edges = weighted_records<Record<std::uint32_t, 8>>(list, WeightType::f64);
  for (const MemoryModel model : all_models) {
    const auto sum = solve(edges, {2 * core::MiB, 2, 1}, {.facts = weighted_facts(2000, WeightType::f64)},
                           with_model(model))
                         .result.weight;
    CHECK(!sum.is_integer());
    CHECK(sum.number() == static_cast<double>(exact));
  }
}

TEST_CASE("mst of unit weights is the lexicographically first spanning forest") {
  const EdgeList cycle = {{3, 2}, {2, 1}, {0, 3}, {1, 0}};
  const auto edges = records_of<Record<std::uint32_t, 0>>(cycle);
  const Solved solved =
      solve(edges, {}, {.facts = facts_with(4)}, with_model(MemoryModel::automatic, WeightRule::unit));
  CHECK((solved.forest == WeightedList{{0, 1, 1}, {0, 3, 1}, {1, 2, 1}}));
}

}  // namespace
}  // namespace emgraph::tests::mst
