// SPDX-License-Identifier: MIT
// The checker accepts what is right and catches every planted error.
#include "graph/cc/check.hpp"

#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "tests/graph/cc/solve.hpp"
#include "tests/support/vector_reader.hpp"

namespace emgraph::tests::cc {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
using graph::cc::Verdict;

// Not inlined: gcc 12 warns of comparisons with messages that are longer than a short string.
template <class R = Record<std::uint32_t, 0>>
[[gnu::noinline]] Verdict check(const ZooGraph& graph, const Labels& labels, bool known = true,
                                std::size_t memory = 4 * core::MiB) {
  TestEnvironment test{.memory_bytes = memory, .threads = 2};
  VectorSourceOptions options{.rewindable = false};
  if (known) options.facts.nodes = graph.nodes;
  Verdict verdict;
  {
    VectorSource<R> source(records_of<R>(graph.edges), options);
    VectorReader reader(labels);
    verdict = graph::cc::check<typename R::id_type>(test.environment, source, reader, {});
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.statistics.snapshot().write_bytes == 0);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

TEST_CASE("cc check accepts the labels of every graph and no others") {
  for (const ZooGraph& graph : graph_zoo()) {
    for (const bool known : {true, false}) {
      CAPTURE(graph.name, known);
      const std::uint64_t nodes = known ? graph.nodes : nodes_of(graph.edges);
      const Labels right = smallest_reachable(nodes, graph.edges);
      const Verdict verdict = check(graph, right, known);
      CHECK(verdict.ok);
      CHECK(verdict.nodes == nodes);
      CHECK(verdict.edges == graph.edges.size());
      CHECK(verdict.components == component_sizes(right).components);
      CHECK(check<Record<std::uint64_t, 0>>(graph, right, known).ok);
      Labels all_alone(nodes);
      for (std::uint64_t node = 0; node < nodes; ++node) all_alone[node] = node;
      CHECK(check(graph, all_alone, known).ok == (all_alone == right));
      const Labels all_one(nodes, 0);
      CHECK(check(graph, all_one, known).ok == (all_one == right));
    }
  }
}

TEST_CASE("cc check catches every planted error") {
  const ZooGraph graph{"random", 400, random_edges(400, 260, 31)};
  const Labels right = smallest_reachable(400, graph.edges);
  std::size_t missed = 0;
  for (std::uint64_t node = 0; node < right.size(); ++node) {
    for (const std::uint64_t label : {right[node] + 1, right[node] - 1, std::uint64_t{0}, node, node + 1}) {
      if (label == right[node]) continue;
      Labels labels = right;  // one label wrong
      labels[node] = label;
      missed += check(graph, labels).ok;
      labels = right;  // the whole component with another label: merged, or not its smallest id
      for (std::uint64_t& one : labels) {
        if (one == right[node]) one = label;
      }
      missed += check(graph, labels).ok;
    }
  }
  CHECK(missed == 0);
  for (const bool known : {true, false}) {
    Labels labels = right;
    labels.pop_back();
    CHECK(!check(graph, labels, known).ok);
    labels = right;
    labels.push_back(400);
    CHECK(!check(graph, labels, known).ok);
    CHECK(!check(graph, {}, known).ok);
  }
}

TEST_CASE("cc check names what is wrong") {
  const ZooGraph graph{"two paths", 6, {{0, 2}, {4, 2}, {1, 3}}};  // 0 1 0 1 0 5
  const auto message = [&](const Labels& labels, bool known = true) {
    return check(graph, labels, known).message;
  };
  CHECK(message({0, 1, 0, 1, 0, 5}).empty());
  CHECK(message({0, 0, 0, 0, 0, 5}) ==
        "node 1 has the label 0, but no path leads there: the smallest id of its component is 1");
  CHECK(message({0, 1, 2, 1, 2, 5}) == "edge 0 (0, 2) joins nodes with the labels 0 and 2");
  CHECK(message({0, 3, 0, 3, 0, 5}) == "node 1 has the label 3, which is not its smallest id");
  CHECK(message({0, 0, 0, 1, 0, 5}) == "node 3 has the label 1, but node 1 has the label 0");
  CHECK(message({0, 1, 0, 1, 0}) == "there are 5 labels for 6 nodes");
  CHECK(message({0, 1, 0, 1, 0, 5, 6}) == "there are more than 6 labels, the number of nodes");
  CHECK(message({0, 1, 0, 1}, false) == "node 4 of edge 1 (4, 2) has no label: there are 4");
  CHECK(message({0, 1, 0, 1, 0, 5}, false) == "there are 6 labels for 5 nodes");
}

TEST_CASE("cc check refuses edges beyond n and says how much memory would do") {
  CHECK_THROWS_AS(check({"beyond", 5, {{0, 1}, {2, 5}}}, {0, 0, 2, 3, 4}), core::DataError);
  Labels labels(500000);
  for (std::uint64_t node = 0; node < labels.size(); ++node) labels[node] = node;
  const ZooGraph graph{"isolated", 500000, {{499999, 499999}}};
  for (const bool known : {true, false}) {
    std::string what;
    try {
      check(graph, labels, known, core::MiB);
    } catch (const core::MemoryLimitError& error) {
      what = error.what();
    }
    CHECK_THAT(what, Contains("-M 4M is the least for this step"));
    CHECK(check(graph, labels, known, 4 * core::MiB).ok);
  }
}

}  // namespace
}  // namespace emgraph::tests::cc
