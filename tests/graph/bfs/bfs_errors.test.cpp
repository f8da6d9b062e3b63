// SPDX-License-Identifier: MIT
// The search when something fails: any transfer, any reservation, too little memory.
#include <algorithm>

#include "core/base/error.hpp"
#include "graph/bfs/search_state.hpp"
#include "tests/graph/bfs/solve.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/memory_sweep.hpp"

namespace emgraph::tests::bfs {
namespace {

using Catch::Contains;
using core::KiB;
using core::MiB;
using graph::MemoryModel;

struct FaultCase {
  const char* name;
  ZooGraph graph;
  Machine machine;
  graph::bfs::Options options;
  bool outputs;
};

std::vector<FaultCase> fault_cases() {
  EdgeList grid;
  for (std::uint64_t v = 0; v < 60 * 60; ++v) {
    if (v % 60 != 59) grid.push_back({v, v + 1});
    if (v + 60 < 3600) grid.push_back({v, v + 60});
  }
  const ZooGraph lattice{"grid", 3600, std::move(grid)};
  const ZooGraph random{"random", 20000, random_edges(20000, 25000, 51)};
  const ZooGraph sparse{"sparse", 2000000, random_edges(2000000, 20000, 52)};
  return {{"pages on disk, cached",
           lattice,
           {700 * KiB, 1, 2},
           {.model = MemoryModel::semi_external, .roots = {0}},
           false},
          {"scans", random, {800 * KiB, 2, 1}, {.model = MemoryModel::semi_external}, true},
          {"rows", random, {8 * MiB, 2, 1}, {.model = MemoryModel::internal}, true},
          {"sorted outputs", sparse, {10 * MiB, 1, 1}, {.model = MemoryModel::semi_external}, true}};
}

TEST_CASE("bfs survives the failure of any transfer and any reservation without a leak") {
  std::uint64_t seed = 0;
  for (const FaultCase& one : fault_cases()) {
    const std::uint64_t root = one.options.roots.empty()
                                   ? default_root(one.graph.nodes, one.graph.edges, false)
                                   : one.options.roots[0];
    const BfsAnswer right = breadth_first(one.graph.nodes, one.graph.edges, root, false);
    for (const Fault fault : all_faults) {
      const Way way = fault == Fault::transfer ? Way::adjacency : Way::file;
      CAPTURE(one.name);
      fail_each(
          fault, one.machine,
          [&](TestEnvironment& test) {
            const Solved solved =
                solve_in<std::uint32_t>(test, one.graph, one.options, way, true, one.outputs, one.outputs);
            check_traversal(solved, 0, right);
          },
          seed++);
    }
  }
}

// If a run succeeds with some amount of memory, it succeeds with more memory.
TEST_CASE("bfs with too little memory says what would do, and more is never worse") {
  Sample sample(3);
  const ZooGraph graph = without_last_isolated({"random", 200000, random_edges(200000, 50000, 53)});
  const BfsAnswer right =
      breadth_first(graph.nodes, graph.edges, default_root(graph.nodes, graph.edges, false), false);
  for (const bool outputs : {false, true}) {
    for (const bool known : {true, false}) {
      CAPTURE(outputs, known);
      const std::size_t least = sweep_memory(64 * KiB, 24 * MiB, 3, sample, [&](std::size_t memory) {
        const Solved solved =
            solve<std::uint32_t>(graph, {memory, 2, 1}, {}, Way::source, known, outputs, outputs);
        check_traversal(solved, 0, right);
      });
      CHECK(least <= (outputs ? 6 * MiB : 1200 * KiB));
    }
  }
}

TEST_CASE("bfs: a forced model that cannot fit is refused with its need") {
  if (only_races) return;  // one thread
  const ZooGraph graph{"random", 100000, random_edges(100000, 300000, 54)};
  const auto run = [&](MemoryModel model, std::size_t memory) {
    return solve<std::uint32_t>(graph, {memory, 1, 1}, {.model = model}, Way::source, true, false, false);
  };
  CHECK_THROWS_WITH(run(MemoryModel::internal, 2 * MiB), Contains("--model internal needs about"));
  CHECK_THROWS_WITH(run(MemoryModel::semi_external, 100 * KiB), Contains("needs"));
  CHECK(run(MemoryModel::internal, 16 * MiB).result.choice.model == MemoryModel::internal);
  CHECK(run(MemoryModel::automatic, 2 * MiB).result.choice.model == MemoryModel::semi_external);
  CHECK(run(MemoryModel::automatic, 64 * MiB).result.choice.model == MemoryModel::internal);
}

TEST_CASE("bfs: ids beyond n are bad data") {
  const ZooGraph graph{"path", 3, {{0, 1}, {1, 7}}};
  CHECK_THROWS_AS(solve<std::uint32_t>(graph, {4 * MiB}, {}, Way::source, true), core::DataError);
}

TEST_CASE("bfs: levels that do not fit 4 bytes, or would read as not reached, are refused") {
  CHECK(graph::bfs::stored_level(0xfffffffe) == 0xfffffffe);
  CHECK_THROWS_AS(graph::bfs::stored_level(0xffffffff), core::DataError);
  CHECK_THROWS_AS(graph::bfs::stored_level(std::uint64_t{1} << 32), core::DataError);
  TestEnvironment test = environment_of({});
  graph::NodeValues<std::uint32_t> levels(test.environment, 200, 1, true, 0, "a level per node");
  graph::bfs::SearchState<std::uint32_t> state(test.environment, 200, &levels, nullptr);
  state.start(0);
  state.end_level(std::uint64_t{1} << 32);  // no node is on it
  state.start(0);
  { graph::bfs::SearchState<std::uint32_t>::Finder(state, 0).reach(7, 0); }
  CHECK_THROWS_AS(state.end_level(0xffffffff), core::DataError);
}

}  // namespace
}  // namespace emgraph::tests::bfs
