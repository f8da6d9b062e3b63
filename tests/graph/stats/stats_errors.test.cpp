// SPDX-License-Identifier: MIT
// stats on bad input, with too little memory, and when disks or reservations fail.
#include <string>

#include "core/base/error.hpp"
#include "tests/graph/stats/solve.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/memory_sweep.hpp"

namespace emgraph::tests::stats {
namespace {

using Catch::Matchers::Contains;
using graph::EdgeOrder;
using graph::MemoryModel;
using Edge = graph::Record<std::uint32_t, 0>;

TEST_CASE("stats names the edge whose id is not below n") {
  EdgeList list = random_edges(3000, 3000, 71);
  list[1777].target = 3000;
  for (const unsigned threads : tried_threads({1U, 2U})) {
    for (const MemoryModel model : all_models) {
      CAPTURE(threads, name(model));
      CHECK_THROWS_WITH(solve(records_of<Edge>(list), {4 * core::MiB, threads, 1},
                              {.facts = facts_with(3000), .sampled = true}, {.model = model}),
                        Contains("edges.test: edge 1777: id 3000 found"));
    }
  }
}

TEST_CASE("stats: options' n goes before the source's") {
  const auto edges = records_of<Edge>({{0, 1}, {1, 2}, {2, 0}});
  for (const MemoryModel model : all_models) {
    const Solved solved =
        solve(edges, {2 * core::MiB, 1, 1}, {.facts = facts_with(3)}, {.model = model, .nodes = 5});
    CHECK((solved.answers.degree == std::vector<std::uint64_t>{2, 2, 2, 0, 0}));
    CHECK(solved.answers.isolated_nodes == 2);
    CHECK_THROWS_AS(
        solve(edges, {2 * core::MiB, 1, 1}, {.facts = facts_with(3)}, {.model = model, .nodes = 2}),
        core::DataError);
  }
}

TEST_CASE("stats: counters that do not fit are refused with what they need") {
  const auto edges = records_of<Edge>(random_edges(2000000, 100000, 72));
  for (const bool known : {true, false}) {
    VectorSourceOptions source;
    if (known) source.facts.nodes = 2000000;
    for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
      CAPTURE(known, name(model));
      CHECK_THROWS_WITH(solve(edges, {2 * core::MiB, 1, 1}, source, {.model = model}),
                        Contains("needs at least") && Contains("--model external needs less"));
    }
  }
}

TEST_CASE("stats with too little memory says so, and more is never worse") {
  const EdgeList list = random_edges(5000, 60000, 73);
  const auto edges = records_of<Edge>(list);
  const StatsAnswers right = all_stats(5000, list);
  Sample sample(3);
  for (const MemoryModel model :
       {MemoryModel::automatic, MemoryModel::semi_external, MemoryModel::external}) {
    CAPTURE(name(model));
    const std::size_t least = sweep_memory(32 * core::KiB, 2 * core::MiB, 3, sample, [&](std::size_t memory) {
      check_answers(solve(edges, {memory, 2, 1}, {.facts = facts_with(5000)}, {.model = model}), right, {});
    });
    if (!sanitized) CHECK(least <= core::MiB);
  }
}

struct FaultCase {
  const char* name;
  MemoryModel model;
  Machine machine;
  bool rewindable;
  bool sorted;
};
constexpr FaultCase fault_cases[] = {
    {"internal", MemoryModel::internal, {2 * core::MiB, 2, 1}, true, false},
    {"semi-external", MemoryModel::semi_external, {3 * core::MiB / 4, 1, 2}, false, false},
    {"external", MemoryModel::external, {core::MiB, 2, 1}, true, false},
    {"external, a pipe", MemoryModel::external, {core::MiB, 1, 1}, false, false},
    {"sorted, external", MemoryModel::external, {core::MiB, 1, 1}, false, true}};

EdgeList fault_edges(bool sorted) {
  EdgeList edges = random_edges(4000, 60000, 74);
  if (!sorted) return edges;
  for (graph::Edge64& edge : edges) edge = graph::low_high(edge.source, edge.target);
  std::sort(edges.begin(), edges.end());
  return edges;
}

VectorSourceOptions fault_source(const FaultCase& fault_case) {
  VectorSourceOptions source{.facts = facts_with(4000), .rewindable = fault_case.rewindable};
  if (fault_case.sorted) {
    source.facts.order = EdgeOrder::source_target;
    source.facts.oriented_low = true;
  }
  return source;
}

TEST_CASE("stats survives the failure of any transfer and reservation without a leak") {
  std::uint64_t seed = 0;
  for (const FaultCase& fault_case : fault_cases) {
    const EdgeList list = fault_edges(fault_case.sorted);
    const auto edges = records_of<Edge>(list);
    const StatsAnswers right = all_stats(4000, list);
    const graph::stats::Options options = {.model = fault_case.model, .directed = true};
    for (const Fault fault : all_faults) {
      CAPTURE(fault_case.name);
      const auto most = fail_each(
          fault, fault_case.machine,
          [&](TestEnvironment& test) {
            check_answers(solve_in(test, edges, fault_source(fault_case), options), right, options);
          },
          seed++);
      if (fault == Fault::reservation || fault_case.model != MemoryModel::internal) CHECK(most > 3);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::stats
