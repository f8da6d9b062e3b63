// SPDX-License-Identifier: MIT
// The solver against the oracle: the same labels from every model on every machine.
#include "graph/cdlp/cdlp.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "core/base/error.hpp"
#include "graph/cdlp/check.hpp"
#include "tests/oracle/ascending.hpp"
#include "tests/oracle/cdlp_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_reader.hpp"
#include "tests/support/vector_sink.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::cdlp {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using graph::cdlp::Options;
using Edge = Record<std::uint32_t, 0>;
using Labels = std::vector<std::uint64_t>;

struct Solved {
  graph::cdlp::Result result;
  Labels labels;
};

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const Options& options) {
  using Id = typename R::id_type;
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  VectorSink<Id> sink;
  Solved solved;
  solved.result = graph::cdlp::run<Id>(test.environment, source, options, &sink);
  solved.labels = std::move(sink.values);
  CHECK(solved.result.nodes == solved.labels.size());
  CHECK(solved.result.edges == edges.size());
  CHECK(solved.result.communities == count_distinct(solved.labels));
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

template <class R>
std::string verdict_of(const std::vector<R>& edges, const Labels& labels, bool directed,
                       std::uint64_t iterations, const VectorSourceOptions& source_options) {
  TestEnvironment test = environment_of({32 * core::MiB, 2, 1});
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  VectorReader reader(labels);
  return graph::cdlp::check<typename R::id_type>(test.environment, source, reader,
                                                 {.directed = directed, .iterations = iterations})
      .message;
}

template <class R>
void check_graph(const ZooGraph& graph, const Machine& machine, Sample& sample) {
  for (const bool directed : {false, true}) {
    const std::uint64_t iterations = directed ? 3 : 5;
    const Labels declared = propagated_labels(graph.nodes, graph.edges, directed, iterations);
    const Labels by_largest_id = propagated_labels(nodes_of(graph.edges), graph.edges, directed, iterations);
    const auto records = records_of<R>(graph.edges);
    CHECK(verdict_of(records, declared, directed, iterations, {.facts = facts_with(graph.nodes)}).empty());
    Labels wrong = declared;
    if (!wrong.empty()) {
      wrong.back() = wrong.back() == 0 ? 1 : 0;
      CHECK_THAT(verdict_of(records, wrong, directed, iterations, {.facts = facts_with(graph.nodes)}),
                 Contains("node " + std::to_string(wrong.size() - 1) + ": found label"));
    }
    for (const MemoryModel model : all_models) {
      for (const bool known : {true, false}) {
        if (!sample.takes(machine.threads)) continue;
        CAPTURE(graph.name, sizeof(R), machine.threads, static_cast<int>(model), known, directed);
        VectorSourceOptions source{.rewindable = known};
        if (known) source.facts.nodes = graph.nodes;
        if (known) source.facts.edges = graph.edges.size();
        const Options options{.model = model, .directed = directed, .iterations = iterations};
        const Solved solved = solve<R>(records, machine, source, options);
        CHECK((solved.labels == (known ? declared : by_largest_id)));
        if (model != MemoryModel::automatic && !solved.labels.empty()) {
          CHECK(solved.result.choice.model == model);
        }
      }
    }
  }
}

TEST_CASE("cdlp of every graph is the oracle's for every model, id width and machine") {
  Sample sample(3);
  for (const ZooGraph& graph : graph_zoo()) {
    check_graph<Edge>(graph, {8 * core::MiB, 1, 1}, sample);
    check_graph<Record<std::uint64_t, 0>>(graph, {16 * core::MiB, 2, 2}, sample);
  }
}

TEST_CASE("cdlp whose edges or nodes do not fit in memory") {
  const EdgeList edges = skewed_edges(17, sized(500000, 220000), 5);
  const auto records = records_of<Edge>(edges);
  const std::uint64_t nodes = std::uint64_t{1} << 17;
  VectorSourceOptions source{.facts = facts_with(nodes)};
  source.facts.edges = edges.size();
  for (const bool directed : {false, true}) {
    const Labels right = propagated_labels(nodes, edges, directed, 3);
    const auto options = [&](MemoryModel model) {
      return Options{.model = model, .directed = directed, .iterations = 3};
    };
    for (const unsigned threads : tried_threads({1U, 2U, 4U})) {
      if (sized(false, directed != (threads == 4))) continue;
      CAPTURE(threads, directed);
      const Solved whole =
          solve(records, {64 * core::MiB, threads, 1}, source, options(MemoryModel::automatic));
      CHECK(whole.result.choice.model == MemoryModel::internal);
      CHECK((whole.labels == right));
      const Solved semi =
          solve(records, {4 * core::MiB, threads, 2}, source, options(MemoryModel::automatic));
      CHECK(semi.result.choice.model == MemoryModel::semi_external);
      CHECK((semi.labels == right));
      const Solved external =
          solve(records, {core::MiB, threads, threads}, source, options(MemoryModel::automatic));
      CHECK(external.result.choice.model == MemoryModel::external);
      CHECK((external.labels == right));
    }
    for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
      CHECK_THROWS_AS(solve(records, {core::MiB, 1, 1}, source, options(model)), core::MemoryLimitError);
    }
  }
}

TEST_CASE("cdlp survives the failure of any transfer and reservation without a leak") {
  const EdgeList list = skewed_edges(13, 60000, 22);
  const auto edges = records_of<Edge>(list);
  const std::uint64_t nodes = std::uint64_t{1} << 13;
  const Labels right = propagated_labels(nodes, list, false, 2);
  for (const MemoryModel model : {MemoryModel::semi_external, MemoryModel::external}) {
    for (const Fault fault : all_faults) {
      CAPTURE(static_cast<int>(model));
      const auto most = fail_each(fault, {core::MiB, 2, 2}, [&](TestEnvironment& test) {
        const Solved solved =
            solve_in(test, edges, {.facts = facts_with(nodes)}, {.model = model, .iterations = 2});
        CHECK((solved.labels == right));
      });
      CHECK(most > 5);
    }
  }
}

TEST_CASE("cdlp without rounds, at a fixed point, and with an id that is not below n") {
  const auto triangle = records_of<Edge>({{0, 1}, {1, 2}, {2, 0}});
  const Machine machine{8 * core::MiB, 1, 1};
  const Solved none = solve(triangle, machine, {}, {.iterations = 0});
  CHECK((none.labels == Labels{0, 1, 2}));
  CHECK(none.result.iterations == 0);
  for (const MemoryModel model : all_models) {
    const Solved fixed = solve(triangle, machine, {}, {.model = model, .iterations = 1000});
    CHECK((fixed.labels == Labels{0, 0, 0}));
    CHECK(fixed.result.iterations < 10);
    CHECK(fixed.result.changed == 0);
  }
  const auto records = records_of<Edge>({{0, 1}, {1, 9}});
  CHECK_THROWS_WITH(solve(records, machine, {.facts = facts_with(9)}, {}), Contains("edge 1: id 9 found"));
}

}  // namespace
}  // namespace emgraph::tests::cdlp
