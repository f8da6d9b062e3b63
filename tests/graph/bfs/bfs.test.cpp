// SPDX-License-Identifier: MIT
// The search against the oracle: the same answer from every model, adjacency and machine.
#include "graph/bfs/bfs.hpp"

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"
#include "tests/graph/bfs/solve.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::bfs {
namespace {

using core::KiB;
using core::MiB;
using graph::MemoryModel;

template <class Id>
void check_graph(const ZooGraph& graph, const Machine& machine, Sample& sample) {
  for (const bool directed : {false, true}) {
    for (const bool known : {true, false}) {
      const std::uint64_t nodes = known ? graph.nodes : nodes_of(graph.edges);
      if (nodes == 0) continue;
      const std::uint64_t root = default_root(nodes, graph.edges, directed);
      const BfsAnswer right = breadth_first(nodes, graph.edges, root, directed);
      const std::uint64_t last = nodes - 1;
      const BfsAnswer from_last = breadth_first(nodes, graph.edges, last, directed);
      for (const MemoryModel model : all_models) {
        for (const Way way : {Way::source, Way::file, Way::sorted_source, Way::adjacency}) {
          if (!sample.takes(machine.threads)) continue;
          CAPTURE(graph.name, sizeof(Id), directed, known, static_cast<int>(model), static_cast<int>(way));
          CAPTURE(machine.memory_bytes, machine.threads, machine.disks, root);
          const Solved solved = solve<Id>(graph, machine, {.model = model, .directed = directed}, way, known);
          CHECK(solved.result.nodes == nodes);
          REQUIRE(solved.result.traversals.size() == 1);
          CHECK(solved.result.traversals[0].root == root);
          check_traversal(solved, 0, right);
          if ((way == Way::source || way == Way::file) && last != root) {
            const Solved two = solve<Id>(
                graph, machine, {.model = model, .directed = directed, .roots = {last, root}}, way, known);
            check_traversal(two, 0, from_last);
            check_traversal(two, 1, right);
            std::vector<std::uint64_t> many{last, root};  // for which rows are sorted
            for (std::uint64_t v = 0; v < last && many.size() < 6; ++v) {
              if (v != root) many.push_back(v);
            }
            const Solved several =
                solve<Id>(graph, machine, {.model = model, .directed = directed, .roots = many}, way, known);
            check_traversal(several, 0, from_last);
            check_traversal(several, 1, right);
          }
        }
      }
    }
  }
}

TEST_CASE("bfs of every graph is the oracle's for every model, id width and machine") {
  Sample sample(5);
  for (const ZooGraph& graph : graph_zoo()) {
    check_graph<std::uint32_t>(graph, {16 * MiB, 1, 1}, sample);
    check_graph<std::uint64_t>(graph, {16 * MiB, 2, 2}, sample);
  }
}

/// Shapes with few and with many levels, larger than what is in memory.
std::vector<ZooGraph> large_graphs() {
  std::vector<ZooGraph> graphs;
  EdgeList grid;
  constexpr std::uint64_t side = 150;
  for (std::uint64_t v = 0; v < side * side; ++v) {
    if (v % side != side - 1) grid.push_back({v, v + 1});
    if (v + side < side * side) grid.push_back({v + side, v});
  }
  graphs.push_back({"grid", side * side, std::move(grid)});
  EdgeList path;
  for (std::uint64_t v = 0; v + 1 < 6000; ++v) path.push_back({(v * 1001) % 6000, ((v + 1) * 1001) % 6000});
  graphs.push_back({"shuffled path", 6000, std::move(path)});
  graphs.push_back({"random", 40000, random_edges(40000, 120000, 41)});
  graphs.push_back({"skewed", 32768, skewed_edges(15, 200000, 42)});
  graphs.push_back({"sparse, many components", 60000, random_edges(60000, 33000, 43)});
  EdgeList hubs = random_edges(50000, 20000, 44);
  for (std::uint64_t v = 0; v < 50000; ++v) hubs.push_back({v % 2 == 0 ? 17U : 49000U, v});
  graphs.push_back({"two hubs", 50000, std::move(hubs)});
  return graphs;
}

TEST_CASE("bfs of larger graphs, from disk with little memory and in memory, is the oracle's") {
  Sample sample(3);
  for (const ZooGraph& graph : large_graphs()) {
    for (const bool directed : {false, true}) {
      const std::uint64_t root = default_root(graph.nodes, graph.edges, directed);
      const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, directed);
      for (const Machine& machine :
           {Machine{900 * KiB, 1, 1}, Machine{1200 * KiB, 2, 3}, Machine{64 * MiB, 2, 1}}) {
        for (const MemoryModel model : {MemoryModel::semi_external, MemoryModel::internal}) {
          if (model == MemoryModel::internal && machine.memory_bytes < 8 * MiB) continue;
          CAPTURE(graph.name, directed, machine.memory_bytes, machine.threads, static_cast<int>(model));
          for (const Way way : {Way::source, Way::file}) {
            if (!sample.takes(machine.threads)) continue;
            const Solved solved = solve<std::uint32_t>(
                graph, machine, {.model = model, .directed = directed, .roots = {root}}, way, true);
            check_traversal(solved, 0, right);
            CHECK(solved.result.choice.model == model);
            CHECK(!solved.result.choice.reason.empty());
          }
        }
      }
    }
  }
}

// Levels and parents that do not fit as arrays are sorted on the disks.
TEST_CASE("bfs with levels and parents of more nodes than memory has room for") {
  const ZooGraph graph{"sparse", 2000000, random_edges(2000000, 60000, 45)};
  const std::uint64_t root = default_root(graph.nodes, graph.edges, false);
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, false);
  for (const unsigned threads : tried_threads({1U, 2U})) {
    for (const bool directed : {false, true}) {
      if (sized(false, directed != (threads == 2))) continue;
      const BfsAnswer expected = directed ? breadth_first(graph.nodes, graph.edges, root, true) : right;
      CAPTURE(threads, directed);
      const Solved solved = solve<std::uint32_t>(
          graph, {10 * MiB, threads, 2},
          {.model = MemoryModel::semi_external, .directed = directed, .roots = {root}}, Way::source, true);
      check_traversal(solved, 0, expected);
    }
  }
}

TEST_CASE("bfs counts without outputs, and with one of them") {
  const ZooGraph graph{"skewed", 4096, skewed_edges(12, 30000, 46)};
  const std::uint64_t root = default_root(graph.nodes, graph.edges, false);
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, false);
  for (const MemoryModel model : all_models) {
    for (const int wanted : {0, 1, 2}) {
      CAPTURE(static_cast<int>(model), wanted);
      const Solved solved = solve<std::uint32_t>(graph, {8 * MiB, 2, 1}, {.model = model}, Way::source, true,
                                                 wanted == 1, wanted == 2);
      check_traversal(solved, 0, right);
    }
  }
}

TEST_CASE("bfs from many roots takes rows") {
  const ZooGraph graph{"random", 3000, random_edges(3000, 9000, 47)};
  graph::bfs::Options options;
  for (std::uint64_t root = 0; root < 3000; root += 300) options.roots.push_back(root);
  const Solved solved = solve<std::uint32_t>(graph, {16 * MiB, 2, 1}, options, Way::adjacency, true);
  REQUIRE(solved.result.traversals.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    check_traversal(solved, i, breadth_first(3000, graph.edges, options.roots[i], false));
    CHECK(solved.result.traversals[i].method.find("from above") != std::string::npos);
  }
}

TEST_CASE("bfs of a grid on disk reads each page about once") {
  if (only_races) return;  // one thread
  constexpr std::uint64_t rows = 20;
  constexpr std::uint64_t columns = 6000;
  ZooGraph grid{"grid", rows * columns, {}};
  for (std::uint64_t v = 0; v < grid.nodes; ++v) {
    if (v % columns != columns - 1) grid.edges.push_back({v, v + 1});
    if (v + columns < grid.nodes) grid.edges.push_back({v, v + columns});
  }
  TestEnvironment test{.memory_bytes = 2 * MiB};
  using R = graph::Record<std::uint32_t, 0>;
  VectorSource<R> source(records_of<R>(grid.edges), {.facts = facts_with(grid.nodes)});
  const auto built = graph::adjacency::build_pages(test.environment, source, {});
  const std::uint64_t pages = built.adjacency->pages();
  const std::uint64_t before = test.statistics.snapshot().read_bytes;
  // A level moves over 20 places: their pages fit, all pages do not.
  const core::Reservation taken = test.memory.reserve(test.memory.available() - 500 * KiB, "test");
  REQUIRE(pages * 4096 > MiB);
  const graph::bfs::Result result = graph::bfs::run<std::uint32_t>(
      test.environment, *built.adjacency, {.model = MemoryModel::semi_external, .roots = {0}}, nullptr);
  CHECK(result.traversals[0].levels == rows + columns - 1);
  CHECK(result.traversals[0].reached == grid.nodes);
  CHECK((test.statistics.snapshot().read_bytes - before) / 4096 <= pages + pages / 4);
}

TEST_CASE("bfs refuses roots that are no nodes, and graphs without nodes") {
  const ZooGraph graph{"path", 4, {{0, 1}, {1, 2}, {2, 3}}};
  for (const Way way : {Way::source, Way::adjacency}) {
    for (const bool known : {true, false}) {
      CHECK_THROWS_AS(solve<std::uint32_t>(graph, {}, {.roots = {4}}, way, known), core::UsageError);
      CHECK_THROWS_AS(solve<std::uint32_t>({"none", 0, {}}, {}, {}, way, known), core::DataError);
      CHECK_THROWS_AS(solve<std::uint32_t>({"none", 0, {}}, {}, {.roots = {0}}, way, known), core::DataError);
    }
  }
  const Solved solved = solve<std::uint32_t>(graph, {}, {.roots = {9}, .nodes = 10}, Way::source, false);
  CHECK(solved.result.traversals[0].reached == 1);
  CHECK(solved.result.nodes == 10);
}

}  // namespace
}  // namespace emgraph::tests::bfs
