// SPDX-License-Identifier: MIT
// The checker accepts what is right and catches every planted error, with bits in memory and by sorting.
#include "graph/mis/check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "tests/oracle/mis_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/vector_reader.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::mis {
namespace {

using graph::Record;
using graph::mis::Verdict;
using Nodes = std::vector<std::uint64_t>;

/// Reads the members in batches, and from a pipe that can be read once only; an unknown n forces the sorts.
struct Way {
  const char* model;
  bool nodes_known;
  bool rewindable;
};
constexpr Way ways[] = {
    {"semi-external", true, true}, {"semi-external", false, true}, {"external", false, false}};

template <class R>
Verdict check_in(TestEnvironment& test, const ZooGraph& graph, const Nodes& set, const Way& way) {
  VectorSourceOptions options{.rewindable = way.rewindable};
  if (way.nodes_known) options.facts.nodes = graph.nodes;
  VectorSource<R> source(records_of<R>(graph.edges), options);
  VectorReader reader(set);
  return graph::mis::check<typename R::id_type>(test.environment, source, reader, {});
}

template <class R>
Verdict check(const ZooGraph& graph, const Nodes& set, const Way& way, unsigned threads = 2) {
  TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = 2, .threads = threads};
  Verdict verdict;
  try {
    verdict = check_in<R>(test, graph, set, way);
    CHECK(name(verdict.choice.model) == way.model);
  } catch (const core::DataError& error) {
    verdict.message = error.what();
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.memory.peak() <= test.memory_bytes);
  CHECK(test.blocks.used_bytes() == 0);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

TEST_CASE("mis check accepts the set of every graph and no other") {
  for (const ZooGraph& any : graph_zoo()) {
    for (const Way& way : ways) {
      const ZooGraph graph = way.nodes_known ? any : without_last_isolated(any);
      const Nodes right = first_independent_set(graph.nodes, graph.edges);
      CAPTURE(graph.name, way.model, way.nodes_known);
      const Verdict verdict = check<Record<std::uint32_t, 0>>(graph, right, way);
      CHECK(verdict.ok);
      CHECK(verdict.members == right.size());
      CHECK(verdict.nodes == graph.nodes);
      CHECK(verdict.edges == graph.edges.size());
      CHECK(check<Record<std::uint64_t, 0>>(graph, right, way, 1).ok);
      if (graph.nodes > 0) CHECK(!check<Record<std::uint32_t, 0>>(graph, {}, way).ok);
      Nodes all(graph.nodes);
      for (std::uint64_t node = 0; node < graph.nodes; ++node) all[node] = node;
      CHECK(check<Record<std::uint32_t, 0>>(graph, all, way).ok == (all == right));
    }
  }
}

TEST_CASE("mis check catches every planted error") {
  const ZooGraph graph = without_last_isolated({"random", 0, random_edges(300, 500, 31)});
  const Nodes right = first_independent_set(graph.nodes, graph.edges);
  Nodes others;
  for (std::uint64_t node = 0; node < graph.nodes; ++node) {
    if (!std::binary_search(right.begin(), right.end(), node)) others.push_back(node);
  }
  REQUIRE(others.size() > 20);
  Sample sample(4);
  for (const Way& way : ways) {
    CAPTURE(way.model, way.nodes_known);
    const auto refused = [&](const Nodes& set) {
      if (!sample.takes(1)) return true;
      return !check<Record<std::uint32_t, 0>>(graph, set, way, 1).ok;
    };
    REQUIRE(check<Record<std::uint32_t, 0>>(graph, right, way, 1).ok);
    std::size_t missed = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {  // a member dropped, doubled, or exchanged
      Nodes set = right;
      set.erase(set.begin() + static_cast<std::ptrdiff_t>(i));
      missed += !refused(set);
      set = right;
      set.insert(set.begin() + static_cast<std::ptrdiff_t>(i), right[i]);
      missed += !refused(set);
      set = right;
      set[i] = others[i % others.size()];
      std::sort(set.begin(), set.end());
      missed += !refused(set);
      if (i == 0) continue;
      set = right;
      std::swap(set[i], set[i - 1]);
      missed += !refused(set);
    }
    for (const std::uint64_t other : others) {  // another node added
      Nodes set = right;
      set.insert(std::upper_bound(set.begin(), set.end(), other), other);
      missed += !refused(set);
    }
    for (const std::uint64_t far : {graph.nodes, graph.nodes + 1, ~std::uint64_t{0}}) {
      Nodes set = right;
      set.push_back(far);
      missed += !refused(set);
    }
    CHECK(missed == 0);
  }
}

TEST_CASE("mis check names the first wrong node") {
  const ZooGraph path{"path", 6, {{0, 1}, {2, 1}, {2, 3}, {4, 3}, {5, 4}}};  // right: 0 2 4
  for (const Way& way : ways) {
    const auto message = [&](const Nodes& set) {
      return check<Record<std::uint32_t, 0>>(path, set, way).message;
    };
    CHECK(message({0, 4}) == "node 2 is not in the set, but no smaller neighbour of it is either");
    CHECK(message({0, 1, 4}) == "node 1 is in the set, and so is a smaller neighbour of it");
    CHECK(message({0, 2, 4, 9}) == "node 9 is in the set, but the graph has only the nodes below 6");
    CHECK(message({0, 4, 2}) == "the set is not a sorted list of distinct ids: entry 2 is 2 after 4");
    CHECK(message({0, 0}) == "the set is not a sorted list of distinct ids: entry 1 is 0 after 0");
    CHECK(message({1, 3, 5}) == "node 0 is not in the set, but no smaller neighbour of it is either");
  }
}

TEST_CASE("mis check sorts when bits do not fit") {
  constexpr std::uint64_t nodes = 6000000;  // 1.5 MB of bits, twice what is allowed of 1.4 MiB
  const ZooGraph graph{"sparse ids", nodes, random_edges(nodes, 120000, 32)};
  const Nodes right = first_independent_set(nodes, graph.edges);
  const auto verdict = [&](const Nodes& set) {
    TestEnvironment test{.memory_bytes = core::MiB * 7 / 5, .disks = 2, .threads = 2};
    const Verdict found = check_in<Record<std::uint32_t, 0>>(test, graph, set, ways[0]);
    CHECK(name(found.choice.model) == "external");
    CHECK(test.statistics.snapshot().write_bytes > 100000);
    CHECK(test.memory.used() == 0);
    CHECK(test.memory.peak() <= test.memory_bytes);
    CHECK(test.blocks.used_bytes() == 0);
    return found;
  };
  CHECK(verdict(right).ok);
  Nodes dropped = right;
  dropped.erase(dropped.begin() + 2500000);
  CHECK(verdict(dropped).message.find(std::to_string(right[2500000])) != std::string::npos);
}

TEST_CASE("mis check refuses edges beyond n") {
  const ZooGraph graph{"beyond", 5, {{0, 1}, {2, 5}}};
  const Verdict verdict = check<Record<std::uint32_t, 0>>(graph, {0, 2, 3, 4}, ways[0]);
  CHECK(verdict.message.find("edge 1: id 5") != std::string::npos);
}

TEST_CASE("mis check survives the failure of any transfer and reservation without a leak") {
  const ZooGraph graph = without_last_isolated({"random", 0, random_edges(30000, 30000, 33)});
  const Nodes right = first_independent_set(graph.nodes, graph.edges);
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {2 * core::MiB, 2, 2}, [&](TestEnvironment& test) {
      const bool ok = check_in<Record<std::uint64_t, 0>>(test, graph, right, ways[2]).ok;
      CHECK(ok);
    });
    CHECK(most > 2);
  }
}

}  // namespace
}  // namespace emgraph::tests::mis
