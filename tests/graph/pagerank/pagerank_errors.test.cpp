// SPDX-License-Identifier: MIT
// The solver when disks or reservations fail, and its checker.
#include <cmath>

#include "core/base/error.hpp"
#include "graph/pagerank/check.hpp"
#include "tests/graph/pagerank/solve.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/vector_reader.hpp"

namespace emgraph::tests::pagerank {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using graph::pagerank::Verdict;
using Edge = Record<std::uint32_t, 0>;

TEST_CASE("pagerank survives the failure of any transfer and reservation without a leak") {
  const EdgeList list = random_edges(30000, 120000, 22);
  const auto edges = records_of<Edge>(list);
  const std::vector<double> right = ranks_after(2, 30000, list, false, 0.85);
  for (const MemoryModel model : {MemoryModel::internal, MemoryModel::external}) {
    const bool spills = model == MemoryModel::external;
    graph::pagerank::Options options{.model = model, .iterations = 2};
    options.range_nodes = 8192;
    VectorSourceOptions source{.facts = facts_with(30000), .quick_to_reread = true};
    source.facts.edges = list.size();
    for (const Fault fault : all_faults) {
      CAPTURE(spills);
      const Machine machine{spills ? 1280 * core::KiB : 12 * core::MiB, 2, 2};
      const auto most = fail_each(fault, machine, [&](TestEnvironment& test) {
        const Solved solved = solve_in(test, edges, source, options);
        CHECK(largest_error(solved.ranks, right) < 1e-12);
      });
      if (fault == Fault::transfer) {
        CHECK((most > 40) == spills);
      } else {
        CHECK(most > 5);
      }
    }
  }
}

[[gnu::noinline]] Verdict check(const ZooGraph& graph, const Ranks& ranks, bool undirected,
                                bool rewindable = true) {
  TestEnvironment test{.memory_bytes = 8 * core::MiB, .threads = 2};
  Verdict verdict;
  {
    VectorSource<Edge> source(records_of<Edge>(graph.edges),
                              {.facts = facts_with(graph.nodes), .rewindable = rewindable});
    VectorReader reader(ranks, true, true);
    graph::pagerank::CheckOptions options;
    options.undirected = undirected;
    verdict = graph::pagerank::check<std::uint32_t>(test.environment, source, reader, options);
  }
  CHECK(test.memory.used() == 0);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

TEST_CASE("pagerank check accepts the ranks of every graph, and no ranks of another direction") {
  for (const ZooGraph& graph : graph_zoo()) {
    for (const bool undirected : {false, true}) {
      CAPTURE(graph.name, undirected);
      const Solved solved = solve(records_of<Edge>(graph.edges), {8 * core::MiB, 1, 1},
                                  {.facts = facts_with(graph.nodes)}, {.undirected = undirected});
      CHECK(check(graph, solved.ranks, undirected).ok);
      CHECK(check(graph, solved.ranks, undirected, false).ok);
    }
  }
  const ZooGraph star{"star", 5, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}};
  const Solved solved = solve(records_of<Edge>(star.edges), {}, {.facts = facts_with(5)}, {});
  CHECK_THAT(check(star, solved.ranks, true).message, Contains("most at node"));
}

TEST_CASE("pagerank check catches planted errors") {
  const ZooGraph graph{"random", 400, random_edges(400, 2600, 31)};
  const Ranks right =
      solve(records_of<Edge>(graph.edges), {8 * core::MiB, 1, 1}, {.facts = facts_with(400)}, {}).ranks;
  const auto planted = [&](std::size_t node, double value) {
    Ranks wrong = right;
    wrong[node] = std::bit_cast<std::uint64_t>(value);
    return check(graph, wrong, false).message;
  };
  CHECK_THAT(planted(17, -1), Contains("node 17 has the rank -1"));
  CHECK_THAT(planted(17, std::nan("")), Contains("node 17 has the rank nan"));
  CHECK_THAT(planted(17, 0.5), Contains("add up to"));
  Ranks moved = right;
  std::swap(moved[3], moved[4]);
  CHECK_THAT(check(graph, moved, false).message, Contains("a round changes the ranks by"));
  Ranks short_one(right.begin(), right.end() - 1);
  CHECK_THAT(check(graph, short_one, false).message, Contains("there are 399 ranks for 400 nodes"));
  Ranks long_one = right;
  long_one.push_back(0);
  CHECK_THAT(check(graph, long_one, false).message, Contains("more than 400 ranks"));
}

}  // namespace
}  // namespace emgraph::tests::pagerank
