// SPDX-License-Identifier: MIT
// The solver and its checker against the oracle: the same answer from every model on every machine.
#include "graph/kcore/kcore.hpp"

#include <numeric>
#include <random>

#include "core/base/error.hpp"
#include "graph/kcore/check.hpp"
#include "tests/graph/kcore/solve.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/vector_reader.hpp"

namespace emgraph::tests::kcore {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using graph::kcore::Verdict;
using Edge = Record<std::uint32_t, 0>;

graph::kcore::Options with_model(MemoryModel model) {
  graph::kcore::Options options;
  options.model = model;
  return options;
}

template <class R>
void check_graph(const ZooGraph& graph, const Machine& machine, Sample& sample) {
  const Cores declared = core_numbers(graph.nodes, graph.edges);
  const Cores by_largest_id = core_numbers(nodes_of(graph.edges), graph.edges);
  for (const MemoryModel model : all_models) {
    for (const bool known : {true, false}) {
      // A path takes hundreds of sorts.
      const bool long_path = graph.name.starts_with("path") || graph.name == "grid";
      if (long_path && model == MemoryModel::external && machine.threads > 1) continue;
      if (!sample.takes(machine.threads)) continue;
      CAPTURE(graph.name, sizeof(R), machine.threads, static_cast<int>(model), known);
      VectorSourceOptions source{.rewindable = known};
      if (known) source.facts.nodes = graph.nodes;
      if (known) source.facts.edges = graph.edges.size();
      const Solved solved = solve<R>(records_of<R>(graph.edges), machine, source, with_model(model));
      CHECK((solved.cores == (known ? declared : by_largest_id)));
      if (model != MemoryModel::automatic && !solved.cores.empty()) {
        CHECK(solved.result.choice.model == model);
      }
    }
  }
}

TEST_CASE("kcore of every graph is the oracle's for every model, id width and machine") {
  Sample sample(3);
  for (const ZooGraph& graph : graph_zoo()) {
    check_graph<Edge>(graph, {8 * core::MiB, 1, 1}, sample);
    check_graph<Record<std::uint64_t, 0>>(graph, {16 * core::MiB, 2, 2}, sample);
  }
}

TEST_CASE("kcore whose edges or nodes do not fit in memory") {
  const EdgeList edges = skewed_edges(17, sized(500000, 280000), 5);
  const auto records = records_of<Edge>(edges);
  const std::uint64_t nodes = std::uint64_t{1} << 17;
  const Cores right = core_numbers(nodes, edges);
  VectorSourceOptions source{.facts = facts_with(nodes)};
  source.facts.edges = edges.size();
  for (const unsigned threads : tried_threads({1U, 2U, 4U})) {
    CAPTURE(threads);
    const Solved whole = solve(records, {64 * core::MiB, threads, 1}, source, {});
    CHECK(whole.result.choice.model == MemoryModel::internal);
    CHECK((whole.cores == right));
    for (const std::size_t memory : {2 * core::MiB, 3 * core::MiB / 2}) {
      const Solved semi = solve(records, {memory, threads, 2}, source, {});
      CHECK(semi.result.choice.model == MemoryModel::semi_external);
      CHECK((semi.cores == right));
    }
    if (sanitized && threads != 2) continue;  // rounds of sorts take most of the time
    const Solved external =
        solve(records, {3 * core::MiB / 2, threads, threads}, source, with_model(MemoryModel::external));
    CHECK(external.result.choice.model == MemoryModel::external);
    CHECK((external.cores == right));
  }
  CHECK_THROWS_AS(solve(records, {3 * core::MiB / 2, 1, 1}, source, with_model(MemoryModel::internal)),
                  core::MemoryLimitError);
}

TEST_CASE("kcore whose estimates do not fit in memory") {
  const std::uint64_t nodes = std::uint64_t{1} << 19;
  const EdgeList edges = random_edges(nodes, sized(200000, 60000), 7);
  const auto records = records_of<Edge>(edges);
  const VectorSourceOptions source{.facts = facts_with(nodes)};
  const Machine machine{2 * core::MiB, 2, 1};
  const Solved external = solve(records, machine, source, {});
  CHECK(external.result.choice.model == MemoryModel::external);
  CHECK((external.cores == core_numbers(nodes, edges)));
  for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
    CHECK_THROWS_AS(solve(records, machine, source, with_model(model)), core::MemoryLimitError);
  }
}

/// The same graph with other ids.
EdgeList renamed(EdgeList edges, std::uint64_t nodes, std::uint64_t seed) {
  std::vector<std::uint64_t> names(nodes);
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), std::mt19937_64(seed));
  for (auto& edge : edges) edge = {names[edge.source], names[edge.target]};
  return edges;
}

/// Estimates of a grid sink from its corners to its middle, those of a path from its ends. The lists of the
/// hubs are longer than the pages that are read together; a clique lets their estimates start high.
EdgeList sinking_far(std::uint64_t side, std::uint64_t path, std::uint64_t hubs, std::uint64_t leaves) {
  EdgeList edges;
  for (std::uint64_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1});
    if (v / side + 1 < side) edges.push_back({v, v + side});
  }
  const std::uint64_t first = side * side;
  for (std::uint64_t v = first; v + 1 < first + path; ++v) edges.push_back({v, v + 1});
  const std::uint64_t hub = first + path;
  for (std::uint64_t a = hub; a < hub + hubs; ++a) {
    for (std::uint64_t b = a + 1; b < hub + hubs + leaves; ++b) edges.push_back({a, b});
  }
  constexpr std::uint64_t clique = 60;
  for (std::uint64_t a = 0; a < clique; ++a) {
    for (std::uint64_t b = a + 1; b < clique; ++b) {
      edges.push_back({hub + hubs + leaves + a, hub + hubs + leaves + b});
    }
  }
  return edges;
}

TEST_CASE("kcore in sweeps, with lists across groups of pages and few or many nodes marked") {
  const std::uint64_t side = sized(200, 90);
  const std::uint64_t path = 3000;
  const EdgeList in_order = sinking_far(side, path, 7, sized(40000, 20000));
  const std::uint64_t nodes = nodes_of(in_order);
  Sample sample(3);
  for (const bool shuffled : {false, true}) {
    const EdgeList edges = shuffled ? renamed(in_order, nodes, 3) : in_order;
    const auto records = records_of<Edge>(edges);
    const Cores right = core_numbers(nodes, edges);
    for (const unsigned threads : {1U, 2U, 5U}) {
      // Groups of 4 and of 256 pages: the marked nodes of a large one are few at the end.
      for (const std::size_t memory : {core::MiB, 64 * core::MiB}) {
        if (!sample.takes(threads)) continue;
        CAPTURE(shuffled, threads, memory);
        const Solved solved = solve(records, {memory, threads, 2}, {.facts = facts_with(nodes)},
                                    with_model(MemoryModel::semi_external));
        CHECK((solved.cores == right));
      }
    }
  }
}

TEST_CASE("kcore survives the failure of any transfer and reservation without a leak") {
  const EdgeList list = skewed_edges(13, 60000, 22);
  const auto edges = records_of<Edge>(list);
  const std::uint64_t nodes = std::uint64_t{1} << 13;
  const Cores right = core_numbers(nodes, list);
  for (const MemoryModel model : {MemoryModel::semi_external, MemoryModel::external}) {
    for (const Fault fault : all_faults) {
      CAPTURE(static_cast<int>(model));
      const auto most = fail_each(fault, {core::MiB, 2, 2}, [&](TestEnvironment& test) {
        const Solved solved = solve_in(test, edges, {.facts = facts_with(nodes)}, with_model(model));
        CHECK((solved.cores == right));
      });
      CHECK(most > 5);
    }
  }
}

TEST_CASE("kcore names the edge whose id is not below n") {
  const auto records = records_of<Edge>({{0, 1}, {1, 9}});
  CHECK_THROWS_WITH(solve(records, {8 * core::MiB, 1, 1}, {.facts = facts_with(9)}, {}),
                    Contains("edge 1: id 9 found"));
}

[[gnu::noinline]] Verdict check(const ZooGraph& graph, const Cores& cores) {
  TestEnvironment test{.memory_bytes = 8 * core::MiB, .threads = 2};
  Verdict verdict;
  {
    VectorSource<Edge> source(records_of<Edge>(graph.edges), {.facts = facts_with(graph.nodes)});
    VectorReader reader(cores);
    verdict = graph::kcore::check<std::uint32_t>(test.environment, source, reader, {});
  }
  CHECK(test.memory.used() == 0);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

TEST_CASE("kcore check accepts the core numbers of every graph and no others") {
  for (const ZooGraph& graph : graph_zoo()) {
    CAPTURE(graph.name);
    const Cores right = core_numbers(graph.nodes, graph.edges);
    CHECK(check(graph, right).ok);
    for (std::size_t v = 0; v < right.size(); v += 1 + right.size() / 5) {
      Cores wrong = right;
      ++wrong[v];
      CHECK(!check(graph, wrong).ok);
      wrong[v] -= std::min<std::uint64_t>(wrong[v], 2);
      CHECK(check(graph, wrong).ok == (right[v] == 0));
    }
    Cores short_one = right;
    short_one.push_back(0);
    CHECK(!check(graph, short_one).ok);
  }
  const ZooGraph triangle{"triangle", 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}};
  CHECK_THAT(check(triangle, {2, 2, 2, 2}).message, Contains("node 3 has the core number 2, but only 1"));
  CHECK_THAT(check(triangle, {1, 1, 1, 1}).message,
             Contains("node 0 has the core number 1, but it is in a 2-core"));
  CHECK_THAT(check(triangle, {2, 2, 2}).message, Contains("3 core numbers for 4 nodes"));
}

}  // namespace
}  // namespace emgraph::tests::kcore
