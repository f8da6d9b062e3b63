// SPDX-License-Identifier: MIT
// The solver and the checker against the oracle: the same coefficients from every model on every machine.
#include "graph/lcc/lcc.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/lcc/check.hpp"
#include "tests/oracle/lcc_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_reader.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::lcc {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using graph::lcc::Options;
using Edge = Record<std::uint32_t, 0>;
using Values = std::vector<double>;

struct ValueSink final : graph::NodeSink<std::uint64_t> {
  Values values;
  void append(std::span<const std::uint64_t> words) override {
    for (const std::uint64_t word : words) values.push_back(std::bit_cast<double>(word));
  }
};

struct Solved {
  graph::lcc::Result result;
  Values values;
};

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const Options& options) {
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  ValueSink sink;
  Solved solved;
  solved.result = graph::lcc::run<typename R::id_type>(test.environment, source, options, &sink);
  solved.values = std::move(sink.values);
  CHECK(solved.result.nodes == solved.values.size());
  CHECK(solved.result.edges == edges.size());
  double sum = 0;
  for (const double value : solved.values) sum += value;
  CHECK(solved.result.mean == (solved.values.empty() ? 0 : sum / static_cast<double>(solved.values.size())));
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

template <class R>
graph::lcc::Verdict verdict_of(const std::vector<R>& edges, const Values& values, bool directed,
                               const VectorSourceOptions& source_options = {}) {
  TestEnvironment test = environment_of({32 * core::MiB, 2, 1});
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  std::vector<std::uint64_t> words;
  for (const double value : values) words.push_back(std::bit_cast<std::uint64_t>(value));
  VectorReader reader(words, 7);
  return graph::lcc::check<typename R::id_type>(test.environment, source, reader, {.directed = directed});
}

template <class R>
void check_graph(const ZooGraph& graph, const Machine& machine, Sample& sample) {
  const auto records = records_of<R>(graph.edges);
  for (const bool directed : {false, true}) {
    const Values declared = clustering_coefficients(graph.nodes, graph.edges, directed);
    const Values by_largest_id = clustering_coefficients(nodes_of(graph.edges), graph.edges, directed);
    for (const bool known : {true, false}) {
      VectorSourceOptions source{.rewindable = known};
      if (known) source.facts.nodes = graph.nodes;
      if (known) source.facts.edges = graph.edges.size();
      const Values& right = known ? declared : by_largest_id;
      CAPTURE(graph.name, sizeof(R), machine.threads, known, directed);
      bool any = false;
      for (const MemoryModel model : all_models) {
        if (!sample.takes(machine.threads)) continue;
        any = true;
        CAPTURE(static_cast<int>(model));
        const Solved solved = solve<R>(records, machine, source, {.model = model, .directed = directed});
        CHECK((solved.values == right));
      }
      if (!any) continue;
      const auto verdict = verdict_of<R>(records, right, directed, source);
      CHECK(verdict.message == "");
      CHECK(verdict.nodes == right.size());
    }
  }
}

TEST_CASE("coefficients of every graph are the oracle's for every model, id width and machine") {
  Sample sample(3);
  for (const ZooGraph& graph : graph_zoo()) {
    check_graph<Edge>(graph, {8 * core::MiB, 1, 1}, sample);
    check_graph<Record<std::uint64_t, 0>>(graph, {16 * core::MiB, 2, 2}, sample);
  }
}

TEST_CASE("coefficients of a graph that does not fit in memory") {
  const EdgeList edges = skewed_edges(12, 60000, 5);
  const auto records = records_of<Edge>(edges);
  const std::uint64_t nodes = std::uint64_t{1} << 12;
  for (const bool directed : {false, true}) {
    const Values right = clustering_coefficients(nodes, edges, directed);
    for (const MemoryModel model : {MemoryModel::semi_external, MemoryModel::external}) {
      for (const unsigned threads : tried_threads({1U, 4U})) {
        CAPTURE(threads, directed, static_cast<int>(model));
        const Solved solved = solve(records, {2 * core::MiB, threads, threads}, {.facts = facts_with(nodes)},
                                    {.model = model, .directed = directed});
        CHECK(solved.result.choice.model == model);
        CHECK((solved.values == right));
      }
    }
  }
}

TEST_CASE("coefficients survive the failure of any transfer and reservation without a leak") {
  const EdgeList list = skewed_edges(10, 6000, 22);
  const auto edges = records_of<Edge>(list);
  const Values right = clustering_coefficients(1 << 10, list, true);
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {2 * core::MiB, 2, 2}, [&](TestEnvironment& test) {
      const Solved solved = solve_in(test, edges, {.facts = facts_with(1 << 10)},
                                     {.model = MemoryModel::semi_external, .directed = true});
      CHECK((solved.values == right));
    });
    CHECK(most > 5);
  }
}

TEST_CASE("the checker of coefficients names the first wrong node") {
  const auto edges = records_of<Edge>({{0, 1}, {1, 2}, {2, 0}, {2, 3}, {1, 0}});
  const Values right = clustering_coefficients(4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {1, 0}}, true);
  CHECK(verdict_of(edges, right, true).ok);
  Values wrong = right;
  wrong[2] += 1e-9;
  CHECK_THAT(verdict_of(edges, wrong, true).message, Contains("node 2: found"));
  CHECK_THAT(verdict_of(edges, right, false).message, Contains("node 0: found"));
  wrong = right;
  wrong.pop_back();
  CHECK_THAT(verdict_of(edges, wrong, true).message, Contains("found values for 3 nodes, expected 4"));
  wrong = right;
  wrong.push_back(0);
  CHECK_THAT(verdict_of(edges, wrong, true).message, Contains("found a value for node 4"));
}

TEST_CASE("ids that are not below n, or whose copies do not fit their type") {
  const Machine machine{8 * core::MiB, 1, 1};
  for (const bool directed : {false, true}) {
    const auto records = records_of<Edge>({{0, 1}, {1, 9}});
    CHECK_THROWS_WITH(solve(records, machine, {.facts = facts_with(9)}, {.directed = directed}),
                      Contains("edge 1: id 9 found") && Contains("the number of nodes, 9"));
  }
  const auto large = records_of<Edge>({{0, 1}, {1, 2000000000}});
  CHECK_THROWS_AS(solve(large, machine, {}, {.directed = true}), graph::format::IdTooWide);
}

}  // namespace
}  // namespace emgraph::tests::lcc
