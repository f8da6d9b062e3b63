// SPDX-License-Identifier: MIT
// The solver and its checker against the oracle: the same answer from every model, batch and machine.
#include "graph/scc/scc.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <vector>

#include "core/base/error.hpp"
#include "graph/scc/check.hpp"
#include "tests/oracle/scc_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_reader.hpp"
#include "tests/support/vector_sink.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::scc {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using graph::scc::Options;
using graph::scc::Verdict;
using Edge = Record<std::uint32_t, 0>;
using Labels = std::vector<std::uint64_t>;

template <class Id>
struct ArcCollector final : graph::scc::ArcSink<Id> {
  EdgeList arcs;
  void append(std::span<const graph::Edge<Id>> batch) override {
    for (const auto& arc : batch) arcs.push_back({arc.source, arc.target});
  }
};

struct Solved {
  graph::scc::Result result;
  Labels labels;
  EdgeList condensation;
};

template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const Options& options) {
  using Id = typename R::id_type;
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  VectorSink<Id> labels;
  ArcCollector<Id> arcs;
  Solved solved{graph::scc::run<Id>(test.environment, source, options, &labels, &arcs), {}, {}};
  solved.labels = std::move(labels.values);
  solved.condensation = std::move(arcs.arcs);
  const auto& result = solved.result;
  CHECK(result.nodes == solved.labels.size());
  CHECK(result.edges == edges.size());
  CHECK(result.condensation_edges == solved.condensation.size());
  std::vector<std::uint64_t> members(solved.labels.size());
  for (const std::uint64_t label : solved.labels) ++members[label];
  CHECK(result.components == members.size() - std::count(members.begin(), members.end(), 0U));
  CHECK(result.single_nodes == static_cast<std::uint64_t>(std::count(members.begin(), members.end(), 1U)));
  CHECK(result.largest_component ==
        (members.empty() ? 0 : *std::max_element(members.begin(), members.end())));
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

EdgeList condensation(const Labels& labels, const EdgeList& edges) {
  std::set<graph::Edge64> arcs;
  for (const auto& edge : edges) {
    if (labels[edge.source] != labels[edge.target]) arcs.insert({labels[edge.source], labels[edge.target]});
  }
  return {arcs.begin(), arcs.end()};
}

/// The zoo is undirected in spirit; these have long cycles, nested ones, and none.
std::vector<ZooGraph> directed_zoo() {
  std::vector<ZooGraph> zoo = graph_zoo();
  std::mt19937_64 random(7);
  constexpr std::uint64_t nodes = 300;
  std::vector<std::uint64_t> order(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) order[v] = v;
  std::shuffle(order.begin(), order.end(), random);
  ZooGraph cycle{"shuffled cycle", nodes, {}};
  ZooGraph path{"shuffled path", nodes, {}};
  for (std::uint64_t i = 0; i < nodes; ++i) cycle.edges.push_back({order[i], order[(i + 1) % nodes]});
  std::shuffle(cycle.edges.begin(), cycle.edges.end(), random);
  for (const auto& edge : cycle.edges) {
    if (edge.source != order[nodes - 1]) path.edges.push_back(edge);
  }
  zoo.push_back(cycle);
  zoo.push_back(path);
  for (const std::uint64_t count : {200U, 300U, 400U, 600U}) {
    ZooGraph sparse{"sparse " + std::to_string(count), nodes, {}};
    ZooGraph acyclic{"acyclic " + std::to_string(count), nodes, {}};
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t a = random() % nodes;
      const std::uint64_t b = random() % nodes;
      sparse.edges.push_back({a, b});
      acyclic.edges.push_back({order[std::min(a, b)], order[std::max(a, b)]});
    }
    zoo.push_back(sparse);
    zoo.push_back(acyclic);
  }
  return zoo;
}

template <class R>
void check_graph(const ZooGraph& graph, const Labels& right, const Machine& machine, Sample& sample) {
  const EdgeList arcs = condensation(right, graph.edges);
  const std::uint64_t below = nodes_of(graph.edges);
  // What finds a large component first leaves little to the other searches.
  std::vector<Options> all{{},
                           {.model = MemoryModel::semi_external},
                           {.model = MemoryModel::external},
                           {.largest_first = false},
                           {.model = MemoryModel::external, .least_rounds = 3, .largest_first = false}};
  for (const std::uint64_t batch : {1U, 7U, 100U}) {
    if (batch < graph.edges.size() / 200) continue;
    all.push_back({.batch_edges = batch, .largest_first = false});
    all.push_back(
        {.model = MemoryModel::external, .batch_edges = batch, .least_rounds = 2, .largest_first = false});
  }
  all.push_back({.model = MemoryModel::external, .least_rounds = 40, .largest_first = false});
  for (const Options& options : all) {
    for (const bool known : {true, false}) {
      if (!sample.takes(machine.threads)) continue;
      CAPTURE(graph.name, sizeof(R), machine.threads, name(options.model), options.batch_edges.value_or(0),
              options.least_rounds, options.largest_first, known);
      VectorSourceOptions source{.rewindable = known};
      if (known) source.facts.nodes = graph.nodes;
      if (known) source.facts.edges = graph.edges.size();
      const Solved solved = solve<R>(records_of<R>(graph.edges), machine, source, options);
      const Labels want(right.begin(),
                        right.begin() + static_cast<std::ptrdiff_t>(known ? graph.nodes : below));
      CHECK((solved.labels == want));
      CHECK((solved.condensation == arcs));
    }
  }
}

TEST_CASE("scc of every graph is the oracle's for every model, batch, id width and machine") {
  Sample sample(4);
  for (const ZooGraph& graph : directed_zoo()) {
    if (graph.nodes > 5000) continue;  // a row of the oracle's table per node
    const Labels right = strong_components(graph.nodes, graph.edges);
    check_graph<Edge>(graph, right, {8 * core::MiB, 1, 1}, sample);
    check_graph<Record<std::uint64_t, 0>>(graph, right, {16 * core::MiB, 3, 2}, sample);
  }
}

/// Nodes in a shuffled order, each with an edge to the next.
EdgeList shuffled_path(std::uint64_t nodes, bool closed) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> order(nodes);
  for (std::uint64_t v = 0; v < nodes; ++v) order[v] = v;
  std::shuffle(order.begin(), order.end(), random);
  EdgeList edges;
  for (std::uint64_t i = 0; i + 1 < nodes + closed; ++i) edges.push_back({order[i], order[(i + 1) % nodes]});
  std::shuffle(edges.begin(), edges.end(), random);
  return edges;
}

TEST_CASE("scc of paths and cycles that are much longer than memory") {
  const std::uint64_t nodes = sized(150'000, 75'000);
  for (const bool closed : {false, true}) {
    const auto records = records_of<Edge>(shuffled_path(nodes, closed));
    for (const unsigned threads : tried_threads({1U, 3U})) {
      const Solved solved = solve(records, {core::MiB, threads, 2}, {}, {});
      CHECK(solved.result.choice.model == MemoryModel::external);
      CHECK(solved.result.largest_component == (closed ? nodes : 1));
      CHECK(solved.condensation.size() == (closed ? 0 : nodes - 1));
    }
  }
}

/// A long cycle, each edge twice, through one node of a dense core, whose ids are in the middle.
EdgeList cycle_through_core(std::uint64_t cycle_nodes, std::uint64_t core_nodes) {
  const std::uint64_t first = cycle_nodes / 3;  // the node of the core that is on the cycle
  EdgeList edges;
  for (const auto& [source, target] : shuffled_path(cycle_nodes, true)) {
    const auto id = [&](std::uint64_t i) { return i <= first ? i : i + core_nodes - 1; };
    edges.insert(edges.end(), 2, {id(source), id(target)});
  }
  std::mt19937_64 random(8);
  for (std::uint64_t i = 0; i < core_nodes; ++i) {
    edges.push_back({first + i, first + (i + 1) % core_nodes});
    for (unsigned k = 0; k < 32; ++k) edges.push_back({first + i, first + random() % core_nodes});
  }
  std::shuffle(edges.begin() + 1, edges.end(), random);
  return edges;
}

TEST_CASE("scc of a component that scans find in part only") {
  const std::uint64_t cycle_nodes = sized(60'000, 30'000);
  const std::uint64_t core_nodes = 1500;
  const std::uint64_t nodes = cycle_nodes + core_nodes - 1;
  EdgeList edges = cycle_through_core(cycle_nodes, core_nodes);
  for (const bool closed : {true, false}) {
    if (!closed) {
      const auto on_cycle = edges.front();
      std::erase(edges, on_cycle);
    }
    const auto records = records_of<Edge>(edges);
    for (const Options& options :
         {Options{}, Options{.model = MemoryModel::semi_external}, Options{.model = MemoryModel::external}}) {
      CAPTURE(closed, name(options.model));
      const Solved solved = solve(records, {8 * core::MiB, 2, 2}, {.facts = facts_with(nodes)}, options);
      CHECK(solved.result.largest_component == (closed ? nodes : core_nodes));
      CHECK(solved.result.components == (closed ? 1 : cycle_nodes));
      CHECK(solved.condensation.size() == (closed ? 0 : cycle_nodes - 1));
    }
  }
}

TEST_CASE("scc of few edges among 2^33 nodes") {
  TestEnvironment test = environment_of({8 * core::MiB, 2, 1});
  constexpr std::uint64_t high = std::uint64_t{1} << 32;
  VectorSource<Record<std::uint64_t, 0>> source(
      records_of<Record<std::uint64_t, 0>>(
          {{high + 9, 3}, {3, high + 7}, {high + 7, high + 9}, {3, high + 1}}),
      {});
  ArcCollector<std::uint64_t> arcs;
  const auto result =
      graph::scc::run<std::uint64_t>(test.environment, source, {.nodes = 2 * high}, nullptr, &arcs);
  CHECK(result.choice.model == MemoryModel::external);
  CHECK(result.components == 2 * high - 2);
  CHECK(result.largest_component == 3);
  CHECK((arcs.arcs == EdgeList{{3, high + 1}}));
}

TEST_CASE("scc of a large graph without cycles, whose nodes have several edges to and from them") {
  EdgeList edges;
  const std::uint64_t nodes = sized(60'000, 40'000);
  std::mt19937_64 random(4);
  for (std::uint64_t i = 0; i < 8 * nodes; ++i) {
    const std::uint64_t a = random() % nodes;
    const std::uint64_t b = random() % nodes;
    edges.push_back({std::min(a, b), std::max(a, b)});
  }
  const auto records = records_of<Edge>(edges);
  const Solved whole = solve(records, {32 * core::MiB, 2, 1}, {}, {});
  CHECK(whole.result.largest_component == 1);
  const Solved external = solve(records, {core::MiB, 1, 1}, {}, {});
  CHECK(external.result.choice.model == MemoryModel::external);
  CHECK((external.labels == whole.labels));
  CHECK((external.condensation == whole.condensation));
}

TEST_CASE("scc whose edges do not fit in memory") {
  Sample sample(3);
  for (const std::uint64_t count : {20000U, 600000U}) {
    const EdgeList edges = skewed_edges(14, count, 5);
    const auto records = records_of<Edge>(edges);
    const std::uint64_t nodes = std::uint64_t{1} << 14;
    VectorSourceOptions source{.facts = facts_with(nodes)};
    const Solved whole = solve(records, {64 * core::MiB, 2, 1}, source, {});
    CHECK(whole.result.choice.model == MemoryModel::internal);
    CHECK(whole.result.passes == 1);
    source.facts.edges = edges.size();
    for (const std::size_t memory : {3 * core::MiB / 2, 2 * core::MiB, 3 * core::MiB, 8 * core::MiB}) {
      for (const unsigned threads : tried_threads({1U, 3U})) {
        if (!sample.takes(threads)) continue;
        CAPTURE(count, memory, threads);
        const Solved solved = solve(records, {memory, threads, 1}, source, {});
        CHECK((solved.labels == whole.labels));
        CHECK((solved.condensation == whole.condensation));
      }
    }
    const Solved semi = solve(records, {8 * core::MiB, 2, 2}, source, {.model = MemoryModel::semi_external});
    CHECK((semi.labels == whole.labels));
    CHECK((semi.condensation == whole.condensation));
    if (count > 100000) {
      CHECK(semi.result.choice.model == MemoryModel::semi_external);
      CHECK_THROWS_AS(solve(records, {2 * core::MiB, 1, 1}, source, {.model = MemoryModel::internal}),
                      core::MemoryLimitError);
    }
    const Solved external = solve(records, {core::MiB, 2, 2}, source, {.model = MemoryModel::external});
    CHECK(external.result.choice.model == MemoryModel::external);
    CHECK((external.labels == whole.labels));
    CHECK((external.condensation == whole.condensation));
    CHECK_THROWS_AS(solve(records, {core::MiB / 8, 1, 1}, source, {}), core::MemoryLimitError);
  }
}

TEST_CASE("scc survives the failure of any transfer and reservation without a leak") {
  const EdgeList list = skewed_edges(11, 20000, 22);
  const auto edges = records_of<Edge>(list);
  const VectorSourceOptions source{.facts = facts_with(std::uint64_t{1} << 11)};
  const Labels right = solve(edges, {16 * core::MiB, 1, 1}, source, {}).labels;
  for (const Fault fault : all_faults) {
    for (const Options& options :
         {Options{.model = MemoryModel::semi_external}, Options{.batch_edges = 2000, .largest_first = false},
          Options{.model = MemoryModel::external, .least_rounds = 2, .largest_first = false}}) {
      const auto most = fail_each(fault, {core::MiB, 2, 2}, [&](TestEnvironment& test) {
        const Labels labels = solve_in(test, edges, source, options).labels;
        CHECK((labels == right));
      });
      CHECK(most > 5);
    }
  }
}

TEST_CASE("scc names the edge whose id is not below n") {
  const auto records = records_of<Edge>({{0, 1}, {1, 9}});
  CHECK_THROWS_WITH(solve(records, {8 * core::MiB, 1, 1}, {.facts = facts_with(9)}, {}),
                    Contains("edge 1: id 9 found"));
}

[[gnu::noinline]] Verdict check(const ZooGraph& graph, const Labels& labels) {
  TestEnvironment test{.memory_bytes = 8 * core::MiB, .threads = 2};
  Verdict verdict;
  {
    VectorSource<Edge> source(records_of<Edge>(graph.edges), {.facts = facts_with(graph.nodes)});
    VectorReader reader(labels);
    verdict = graph::scc::check<std::uint32_t>(test.environment, source, reader, {});
  }
  CHECK(test.memory.used() == 0);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

TEST_CASE("scc check accepts the components of every graph and no others") {
  for (const ZooGraph& graph : directed_zoo()) {
    if (graph.nodes > 5000) continue;
    CAPTURE(graph.name);
    const Labels right = strong_components(graph.nodes, graph.edges);
    CHECK(check(graph, right).ok);
    for (std::size_t v = 1; v < right.size(); v += 1 + right.size() / 5) {
      Labels wrong = right;
      wrong[v] = right[v] == v ? right[v - 1] : v;
      if (wrong != right) CHECK(!check(graph, wrong).ok);
    }
    Labels short_one = right;
    short_one.push_back(0);
    CHECK(!check(graph, short_one).ok);
  }
  const ZooGraph cycles{"two cycles", 5, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 0}}};
  CHECK(check(cycles, {0, 0, 2, 2, 4}).components == 3);
  CHECK_THAT(check(cycles, {0, 1, 2, 2, 4}).message, Contains("the components have a cycle; component 0"));
  CHECK_THAT(check(cycles, {0, 0, 0, 0, 4}).message,
             Contains("node 2 has the label 0, but it does not reach it"));
  CHECK_THAT(check(cycles, {0, 0, 2, 2, 0}).message,
             Contains("node 4 has the label 0, but it is not reached from it"));
  CHECK_THAT(check(cycles, {0, 1, 2, 2, 5}).message, Contains("larger than the node"));
  CHECK_THAT(check(cycles, {0, 0, 1, 1, 4}).message,
             Contains("node 2 has the label 1, but node 1 has the label 0"));
  CHECK_THAT(check(cycles, {0, 0, 2}).message, Contains("3 labels for 5 nodes"));
}

}  // namespace
}  // namespace emgraph::tests::scc
