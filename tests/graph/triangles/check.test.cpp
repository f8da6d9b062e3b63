// SPDX-License-Identifier: MIT
// The checker accepts what is right and catches every planted error in counts and lists.
#include "graph/triangles/check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "tests/oracle/triangles_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/vector_reader.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::triangles {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
using graph::triangles::Verdict;
using Values = std::vector<std::uint64_t>;

struct Claim {
  Values per_node;
  Values list;
};

Claim right_claim(const ZooGraph& graph) {
  const TriangleAnswers answers = all_triangles(graph.nodes, graph.edges);
  Claim claim{answers.per_node, {}};
  for (const auto& triple : answers.list) claim.list.insert(claim.list.end(), triple.begin(), triple.end());
  return claim;
}

template <class R>
Verdict check_in(TestEnvironment& test, const ZooGraph& graph, const Claim& claim, bool known) {
  VectorSourceOptions options{.rewindable = known};
  if (known) options.facts.nodes = graph.nodes;
  VectorSource<R> source(records_of<R>(graph.edges), options);
  VectorReader per_node(claim.per_node);
  VectorReader list(claim.list);
  return graph::triangles::check<typename R::id_type>(test.environment, source, per_node, &list, {});
}

template <class R>
Verdict check(const ZooGraph& graph, const Claim& claim, bool known = true, unsigned threads = 2) {
  TestEnvironment test{.memory_bytes = 4 * core::MiB, .disks = 2, .threads = threads};
  const Verdict verdict = check_in<R>(test, graph, claim, known);
  CHECK(test.memory.used() == 0);
  CHECK(test.memory.peak() <= test.memory_bytes);
  CHECK(test.blocks.used_bytes() == 0);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

const ZooGraph& planted() {
  static const ZooGraph graph{"planted", 61, [] {
                                EdgeList edges = random_edges(60, 500, 61);
                                edges.push_back({60, 0});
                                return edges;
                              }()};
  return graph;
}

TEST_CASE("triangles check accepts the answers for every graph") {
  for (const ZooGraph& graph : graph_zoo()) {
    const Claim right = right_claim(graph);
    CAPTURE(graph.name);
    const Verdict verdict = check<Record<std::uint32_t, 0>>(graph, right);
    CHECK(verdict.ok);
    CHECK(verdict.triangles == right.list.size() / 3);
    CHECK(verdict.nodes == graph.nodes);
    CHECK(verdict.edges == graph.edges.size());
    CHECK(check<Record<std::uint64_t, 0>>(graph, right, true, 1).ok);
  }
  CHECK(check<Record<std::uint64_t, 0>>(planted(), right_claim(planted()), false).ok);
}

TEST_CASE("triangles check catches every planted error in counts") {
  const Claim right = right_claim(planted());
  std::size_t missed = 0;
  for (std::size_t node = 0; node < right.per_node.size(); ++node) {
    for (const int difference : {1, -1}) {
      Claim claim = right;
      claim.per_node[node] += static_cast<std::uint64_t>(difference);
      const Verdict verdict = check<Record<std::uint32_t, 0>>(planted(), claim);
      missed += verdict.ok || verdict.list_is_wrong ||
                !verdict.message.starts_with("node " + std::to_string(node) + ": found ");
    }
  }
  CHECK(missed == 0);
  Claim claim = right;
  claim.per_node.pop_back();
  CHECK(check<Record<std::uint32_t, 0>>(planted(), claim).message ==
        "found counts for 60 nodes, expected 61");
  claim = right;
  claim.per_node.push_back(0);
  CHECK(!check<Record<std::uint32_t, 0>>(planted(), claim).ok);
}

TEST_CASE("triangles check catches every planted error in lists") {
  const Claim right = right_claim(planted());
  const std::size_t triples = right.list.size() / 3;
  REQUIRE(triples > 100);
  std::size_t missed = 0;
  const auto refused = [&](const Values& list) {
    const Verdict verdict = check<Record<std::uint32_t, 0>>(planted(), {right.per_node, list});
    missed += verdict.ok || !verdict.list_is_wrong ? 1 : 0;
  };
  for (std::size_t i = 0; i < triples; i += 5) {
    const auto at = right.list.begin() + static_cast<std::ptrdiff_t>(3 * i);
    Values list = right.list;  // one dropped
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(3 * i),
               list.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
    refused(list);
    list = right.list;  // one doubled
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(3 * i), at, at + 3);
    refused(list);
    list = right.list;  // two exchanged
    if (i > 0) {
      for (std::size_t k = 0; k < 3; ++k) std::swap(list[3 * i + k], list[3 * i - 3 + k]);
      refused(list);
    }
    list = right.list;  // ends exchanged
    std::swap(list[3 * i], list[3 * i + 2]);
    refused(list);
    list = right.list;  // a node that is no neighbour, a node that is none
    list[3 * i + 2] = 60;
    refused(list);
    list[3 * i + 2] = std::uint64_t{1} << 40;
    refused(list);
  }
  Values list = right.list;
  list.pop_back();
  refused(list);
  CHECK(missed == 0);
}

TEST_CASE("triangles check says how much memory would do") {
  const ZooGraph graph{"random", 60000, random_edges(60000, 100000, 62)};
  const Claim right = right_claim(graph);
  TestEnvironment small{.memory_bytes = core::MiB};
  std::size_t least = 0;
  try {
    check_in<Record<std::uint32_t, 0>>(small, graph, right, true);
  } catch (const core::MemoryLimitError& error) {
    const std::string what = error.what();
    const std::size_t at = what.find("-M ");
    REQUIRE(at != std::string::npos);
    least = std::stoul(what.substr(at + 3)) * core::MiB;
  }
  REQUIRE(least > 0);
  CHECK(least < 6 * core::MiB);
  TestEnvironment enough{.memory_bytes = least};
  CHECK(check_in<Record<std::uint32_t, 0>>(enough, graph, right, true).ok);
}

TEST_CASE("triangles check survives the failure of any transfer and reservation without a leak") {
  const ZooGraph graph{"random", 5000, random_edges(5000, 90000, 63)};
  const Claim right = right_claim(graph);
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {2 * core::MiB, 2, 2}, [&](TestEnvironment& test) {
      const bool ok = check_in<Record<std::uint32_t, 0>>(test, graph, right, true).ok;
      CHECK(ok);
    });
    CHECK(most > 2);
  }
}

}  // namespace
}  // namespace emgraph::tests::triangles
