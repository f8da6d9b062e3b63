// SPDX-License-Identifier: MIT
// The solver on bad input, with too little memory, and when disks or reservations fail.
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "core/base/error.hpp"
#include "tests/graph/triangles/solve.hpp"
#include "tests/support/changing_source.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/memory_sweep.hpp"
#include "tests/support/message_of.hpp"

namespace emgraph::tests::triangles {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using Edge = Record<std::uint32_t, 0>;

TEST_CASE("triangles names the edge whose id is not below n") {
  EdgeList list = random_edges(3000, 3000, 51);
  list[1777].target = 3000;
  for (const unsigned threads : tried_threads({1U, 2U})) {
    for (const MemoryModel model : all_models) {
      CAPTURE(threads, name(model));
      const std::string what = message_of<core::DataError>([&] {
        solve(records_of<Edge>(list), {4 * core::MiB, threads, 1},
              {.facts = facts_with(3000), .rewindable = threads == 1, .sampled = true}, {.model = model}, {});
      });
      CHECK_THAT(what, Contains("edges.test: edge 1777: id 3000 found"));
    }
  }
}

TEST_CASE("triangles: n that is far above the edges is taken from its user, also if the input declares it") {
  constexpr std::uint64_t nodes = std::uint64_t{1} << 32;
  struct Sink final : graph::NodeSink<std::uint64_t> {
    void append(std::span<const std::uint64_t> /*values*/) override {}
    void expect(std::uint64_t values) override { throw std::out_of_range(std::to_string(values)); }
  };
  for (const bool asked : {false, true}) {
    TestEnvironment test = environment_of({4 * core::MiB, 1, 1});
    VectorSource<Edge> source(records_of<Edge>({{0, 1}}), {.facts = facts_with(nodes)});
    Sink sink;
    const auto run = [&] {
      graph::triangles::run<std::uint32_t>(
          test.environment, source,
          {.model = MemoryModel::external, .nodes = asked ? std::optional(nodes) : std::nullopt},
          {.per_node = &sink});
    };
    if (asked) {
      CHECK_THROWS_WITH(run(), "4294967296");
    } else {
      CHECK_THROWS_AS(run(), core::EnvironmentError);
    }
  }
}

TEST_CASE("triangles: an input that changes between its readings is refused") {
  EdgeList edges = random_edges(3000, 30000, 51);
  for (auto& edge : edges) edge = {edge.source / 2 * 2, edge.target / 2 * 2};  // odd nodes have no edge
  edges[77] = {8, 8};
  EdgeList shorter = edges;
  shorter.pop_back();
  EdgeList far = edges;
  far[20000].source = 2'000'000;
  EdgeList no_rank = edges;
  no_rank[20000].source = 1777;
  EdgeList more_proper = edges;
  more_proper[77].target = 10;
  for (const EdgeList& second : {shorter, far, no_rank, more_proper}) {
    for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
      for (const unsigned threads : tried_threads({1U, 2U})) {
        CAPTURE(name(model), threads);
        TestEnvironment test = environment_of({4 * core::MiB, threads, 1});
        const NothingLeft nothing_left(test);
        const auto records =
            std::make_shared<ChangingRecords>(edges, second, VectorSourceOptions{.facts = facts_with({})});
        graph::EdgeSource<std::uint32_t> source(records, records->facts(), 0);
        CHECK_THROWS_WITH(
            graph::triangles::run<std::uint32_t>(test.environment, source, {.model = model}, {}),
            Contains("changed while it was read"));
      }
    }
  }
}

TEST_CASE("triangles: options' n goes before the source's") {
  const auto edges = records_of<Edge>({{0, 1}, {1, 2}, {2, 0}});
  const Wanted per_node{.per_node = true};
  for (const MemoryModel model : all_models) {
    const Solved solved =
        solve(edges, {4 * core::MiB, 1, 1}, {.facts = facts_with(3)}, {.model = model, .nodes = 5}, per_node);
    CHECK((solved.per_node == std::vector<std::uint64_t>{1, 1, 1, 0, 0}));
    CHECK_THROWS_AS(
        solve(edges, {4 * core::MiB, 1, 1}, {.facts = facts_with(3)}, {.model = model, .nodes = 2}, per_node),
        core::DataError);
  }
}

TEST_CASE("triangles: a model that does not fit is refused with what it needs") {
  const auto edges = records_of<Edge>(random_edges(400000, 200000, 52));
  for (const bool known : {true, false}) {
    VectorSourceOptions source;
    if (known) source.facts.nodes = 400000;
    for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
      CHECK_THROWS_WITH(solve(edges, {core::MiB, 1, 1}, source, {.model = model}, {}),
                        Contains("needs at least") && Contains("--model external"));
    }
    CHECK_THROWS_WITH(solve(edges, {3 * core::MiB, 1, 1}, source, {.model = MemoryModel::internal}, {}),
                      Contains("--model internal needs at least"));
  }
}

// If a run succeeds with some amount of memory, it succeeds with more memory.
template <class R>
void check_memory_sweep(MemoryModel model, const Wanted& wanted, std::size_t most_bytes, Sample& sample) {
  const EdgeList list = random_edges(5000, 60000, 53);
  const auto edges = records_of<R>(list);
  const TriangleAnswers right = all_triangles(5000, list);
  CAPTURE(sizeof(R), name(model), wanted.per_node, wanted.list);
  const std::size_t least = sweep_memory(32 * core::KiB, 2 * most_bytes, 3, sample, [&](std::size_t memory) {
    const Solved solved = solve(edges, {memory, 2, 1}, {.facts = facts_with(5000)}, {.model = model}, wanted);
    check_answers(solved, right, wanted);
  });
  if (!sanitized) CHECK(least <= most_bytes);
}

TEST_CASE("triangles with too little memory says so, and more is never worse") {
  Sample sample(3);
  for (const MemoryModel model : {MemoryModel::automatic, MemoryModel::semi_external}) {
    check_memory_sweep<Edge>(model, {}, core::MiB, sample);
    check_memory_sweep<Record<std::uint64_t, 0>>(model, {.per_node = true}, core::MiB, sample);
  }
  check_memory_sweep<Edge>(MemoryModel::external, {}, core::MiB, sample);
  check_memory_sweep<Record<std::uint64_t, 0>>(MemoryModel::external, {.per_node = true}, 2 * core::MiB,
                                               sample);
  check_memory_sweep<Edge>(MemoryModel::external, {.list = true}, 8 * core::MiB, sample);
}

struct FaultCase {
  const char* name;
  MemoryModel model;
  Machine machine;
  bool rewindable;
  Wanted wanted;
};

const FaultCase fault_cases[] = {
    {"internal, all", MemoryModel::internal, {3 * core::MiB / 2, 2, 1}, true, {true, true}},
    {"semi-external", MemoryModel::semi_external, {640 * core::KiB, 2, 2}, true, {}},
    {"semi-external, all", MemoryModel::semi_external, {4 * core::MiB, 1, 1}, false, {true, true}},
    {"external", MemoryModel::external, {core::MiB, 1, 2}, true, {}},
    {"external, all", MemoryModel::external, {6 * core::MiB, 2, 1}, false, {true, true}}};

const EdgeList& fault_edges() {
  static const EdgeList edges = random_edges(2500, 50000, 54);
  return edges;
}

TEST_CASE("triangles survives the failure of any transfer and reservation without a leak") {
  const auto edges = records_of<Edge>(fault_edges());
  const TriangleAnswers right = all_triangles(2500, fault_edges());
  std::uint64_t seed = 0;
  for (const FaultCase& one : fault_cases) {
    for (const Fault fault : all_faults) {
      CAPTURE(one.name);
      const auto most = fail_each(
          fault, one.machine,
          [&](TestEnvironment& test) {
            const VectorSourceOptions source{.facts = facts_with(2500), .rewindable = one.rewindable};
            check_answers(solve_in(test, edges, source, {.model = one.model}, one.wanted), right, one.wanted);
          },
          seed++);
      if (fault == Fault::reservation || one.model != MemoryModel::internal) CHECK(most > 5);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::triangles
