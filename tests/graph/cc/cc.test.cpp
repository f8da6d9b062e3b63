// SPDX-License-Identifier: MIT
// The solver against the oracle: the same answer from every model on every machine.
#include "graph/cc/cc.hpp"

#include "core/base/error.hpp"
#include "tests/graph/cc/solve.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::cc {
namespace {

using graph::MemoryModel;
using graph::Record;

template <class R>
void check_graph(const ZooGraph& graph, const Machine& machine, Sample& sample) {
  const std::vector<R> edges = records_of<R>(graph.edges);
  const Labels declared = smallest_reachable(graph.nodes, graph.edges);
  const Labels by_largest_id = smallest_reachable(nodes_of(graph.edges), graph.edges);
  for (const MemoryModel model : all_models) {
    for (const bool known : {true, false}) {
      for (const bool rewindable : {true, false}) {
        if (!sample.takes(machine.threads)) continue;
        CAPTURE(graph.name, sizeof(R), machine.threads, static_cast<int>(model), known, rewindable);
        VectorSourceOptions source{.rewindable = rewindable};
        if (known) source.facts.nodes = graph.nodes;
        const Solved solved = solve<R>(edges, machine, source, with_model(model));
        CHECK((solved.labels == (known ? declared : by_largest_id)));
        if (model != MemoryModel::automatic) {
          CHECK((solved.result.choice.model == MemoryModel::external) == (model == MemoryModel::external));
        }
      }
    }
  }
}

TEST_CASE("cc of every graph is the oracle's for every model, id width and machine") {
  Sample sample(4);
  for (const ZooGraph& graph : graph_zoo()) {
    check_graph<Record<std::uint32_t, 0>>(graph, {4 * core::MiB, 1, 1}, sample);
    check_graph<Record<std::uint64_t, 0>>(graph, {4 * core::MiB, 2, 2}, sample);
    check_graph<Record<std::uint32_t, 0>>(graph, {4 * core::MiB, 4, 4}, sample);
  }
}

template <class R>
void check_ranges(const ZooGraph& graph, std::uint64_t range_nodes, const Machine& machine, Sample& sample) {
  if (!sample.takes(machine.threads)) return;
  CAPTURE(graph.name, sizeof(R), range_nodes, machine.threads, machine.disks);
  VectorSourceOptions source{.facts = facts_with(graph.nodes), .rewindable = false};
  const Solved solved =
      solve<R>(records_of<R>(graph.edges), machine, source, with_model(MemoryModel::external, range_nodes));
  CHECK((solved.labels == smallest_reachable(graph.nodes, graph.edges)));
  CHECK(solved.result.choice.model == MemoryModel::external);
  CHECK(solved.result.ranges >= std::min<std::uint64_t>(graph.nodes, (graph.nodes + 9) / 10 / range_nodes));
}

TEST_CASE("cc of every graph in many ranges") {
  Sample sample(4);
  for (const ZooGraph& graph : graph_zoo()) {
    // Cells of 16 nodes at 70,001 nodes, of 1 below 8,193.
    for (const std::uint64_t parts : {1, 2, 3, 10, 100}) {
      const std::uint64_t range_nodes = std::max<std::uint64_t>(1, graph.nodes / parts);
      check_ranges<Record<std::uint32_t, 0>>(graph, range_nodes, {8 * core::MiB, 1, 1}, sample);
      check_ranges<Record<std::uint64_t, 0>>(graph, range_nodes, {12 * core::MiB, 2, 3}, sample);
      check_ranges<Record<std::uint32_t, 0>>(graph, range_nodes, {16 * core::MiB, 4, 2}, sample);
    }
  }
}

TEST_CASE("cc of random graphs in ranges of every size, some nodes each") {
  Sample sample(3);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::uint64_t nodes = 20 + seed * 7;
    const ZooGraph graph{"random", nodes, random_edges(nodes, nodes * (seed % 5) / 2, seed)};
    check_ranges<Record<std::uint32_t, 0>>(graph, std::max(nodes / 90, 1 + seed % 23),
                                           {16 * core::MiB, seed % 2 == 0 ? 1U : 4U, 1}, sample);
  }
}

std::vector<ZooGraph> larger_graphs() {
  EdgeList path;
  for (std::uint64_t node = 1; node < 300000; ++node) path.push_back({node, node - 1});
  std::shuffle(path.begin(), path.end(), std::mt19937_64(41));
  // Node v hangs on v / 2: every range is joined through many lower ones.
  EdgeList tree;
  for (std::uint64_t node = 1; node < 300000; ++node) tree.push_back({node / 2, node});
  return {{"random", 300000, random_edges(300000, 350000, 42)},
          {"sparse", 300000, random_edges(300000, 120000, 43)},
          {"skewed", 262144, skewed_edges(18, 300000, 44)},
          {"shuffled path", 300000, std::move(path)},
          {"tree", 300000, std::move(tree)}};
}

TEST_CASE("cc of graphs whose nodes do not fit in memory") {
  Sample sample(2);
  for (const ZooGraph& graph : larger_graphs()) {
    const Labels right = smallest_reachable(graph.nodes, graph.edges);
    const auto check = [&]<class R>(const Machine& machine) {
      if (!sample.takes(machine.threads)) return;
      CAPTURE(graph.name, sizeof(R), machine.threads, machine.disks);
      const VectorSourceOptions source{.facts = facts_with(graph.nodes), .rewindable = false};
      const Solved solved = solve<R>(records_of<R>(graph.edges), machine, source, {});
      CHECK((solved.labels == right));
      CHECK(solved.result.choice.model == MemoryModel::external);
      CHECK(solved.result.ranges > 1);
      CHECK(solved.write_bytes > 500000);
    };
    check.operator()<Record<std::uint32_t, 0>>({640 * core::KiB, 1, 1});
    check.operator()<Record<std::uint32_t, 0>>({768 * core::KiB, 2, 4});
    check.operator()<Record<std::uint64_t, 0>>({core::MiB, 2, 2});
    check.operator()<Record<std::uint64_t, 0>>({core::MiB, 4, 3});
  }
}

TEST_CASE("cc with n unknown falls back to ranges when the ids outgrow the memory") {
  EdgeList edges = random_edges(600000, sized(350000, 150000), 46);
  const std::uint64_t nodes = nodes_of(edges);
  const Labels right = smallest_reachable(nodes, edges);
  for (const bool ascending : {false, true}) {
    // The ids grow while they come: more than half of the edges fit.
    if (ascending) {
      std::sort(edges.begin(), edges.end(), [](const graph::Edge64& a, const graph::Edge64& b) {
        return std::max(a.source, a.target) < std::max(b.source, b.target);
      });
    }
    const auto records = records_of<Record<std::uint32_t, 0>>(edges);
    for (const bool rewindable : {true, false}) {
      for (const unsigned threads : ascending ? std::vector{2U} : tried_threads({1U, 2U})) {
        if (sized(false, threads == 2 && rewindable == ascending)) continue;
        CAPTURE(rewindable, threads, ascending);
        const VectorSourceOptions source{.rewindable = rewindable};
        const Solved solved = solve(records, {5 * core::MiB / 2, threads, 2}, source, {});
        CHECK((solved.labels == right));
        CHECK(solved.result.choice.model == MemoryModel::external);
        const Solved fits = solve(records, {5 * core::MiB, threads, 2}, source, {});
        CHECK((fits.labels == right));
        CHECK(fits.write_bytes == 0);
        CHECK_THROWS_AS(
            solve(records, {5 * core::MiB / 2, threads, 2}, source, with_model(MemoryModel::semi_external)),
            core::MemoryLimitError);
      }
    }
  }
}

TEST_CASE("cc in memory writes nothing and reads the input once") {
  const ZooGraph graph{"skewed", 262144, skewed_edges(18, sized(300000, 150000), 44)};
  const auto edges = records_of<Record<std::uint32_t, 0>>(graph.edges);
  for (const bool known : {true, false}) {
    VectorSourceOptions source{.rewindable = false};  // rewinding would throw
    if (known) source.facts.nodes = graph.nodes;
    const Solved solved = solve(edges, {4 * core::MiB, 2, 1}, source, {});
    CHECK(solved.write_bytes == 0);
    CHECK(solved.result.ranges == 0);
    CHECK(solved.result.choice.model == MemoryModel::semi_external);
  }
}

TEST_CASE("cc counts without a sink") {
  const ZooGraph graph{"random", 500, random_edges(500, 300, 15)};
  const ComponentSizes right = component_sizes(smallest_reachable(500, graph.edges));
  for (const MemoryModel model : all_models) {
    VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(graph.edges),
                                                  {.facts = facts_with(graph.nodes)});
    TestEnvironment test{.memory_bytes = 4 * core::MiB};
    const auto result =
        graph::cc::run<std::uint32_t>(test.environment, source, with_model(model, 37), nullptr);
    CHECK(result.count.components == right.components);
    CHECK(result.count.isolated_nodes == right.isolated);
    CHECK(result.count.largest_component == right.largest);
  }
}

}  // namespace
}  // namespace emgraph::tests::cc
