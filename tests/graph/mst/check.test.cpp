// SPDX-License-Identifier: MIT
// The checker accepts the forest of every graph and catches every planted error.
#include "graph/mst/check.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "tests/graph/mst/solve.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::mst {
namespace {

using graph::Record;
using graph::mst::Verdict;

template <class R>
Verdict check_in(TestEnvironment& test, const WeightedList& graph, const WeightedList& forest,
                 WeightType type, const VectorSourceOptions& options,
                 const graph::mst::CheckOptions& check = {}) {
  using Wide = Record<std::uint64_t, 8>;
  VectorSource<Wide> claim(weighted_records<Wide>(forest, type),
                           {.facts = weighted_facts(std::nullopt, type, 8)});
  VectorSource<R> source(weighted_records<R>(graph, type), options);
  return graph::mst::check<typename R::id_type>(test.environment, source,
                                                graph::mst::load_forest(test.environment, claim), check);
}

template <class R>
Verdict check(const WeightedList& graph, const WeightedList& forest, std::optional<std::uint64_t> nodes,
              WeightType type, unsigned threads = 2) {
  TestEnvironment test{.memory_bytes = 4 * core::MiB, .threads = threads};
  const Verdict verdict =
      check_in<R>(test, graph, forest, type, {.facts = weighted_facts(nodes, type), .rewindable = false});
  CHECK(test.memory.used() == 0);
  CHECK(test.memory.peak() <= test.memory_bytes);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

TEST_CASE("mst check accepts the forest of every graph") {
  Sample sample(2);
  for (const ZooGraph& graph : graph_zoo()) {
    for (const WeightType type : {WeightType::u32, WeightType::i64, WeightType::f32, WeightType::f64}) {
      const WeightedList list = with_random_weights(graph.edges, type);
      const WeightedList right = minimum_spanning_forest(graph.nodes, list);
      for (const bool known : {true, false}) {
        if (!sample.takes()) continue;
        CAPTURE(graph.name, static_cast<int>(type), known);
        const auto nodes = known ? std::optional(graph.nodes) : std::nullopt;
        const Verdict verdict = check<Record<std::uint32_t, 8>>(list, right, nodes, type);
        CHECK(verdict.message == "");
        CHECK(verdict.forest_edges == right.size());
        CHECK(verdict.edges == list.size());
        if (known) CHECK(verdict.nodes == graph.nodes);
        CHECK(check<Record<std::uint64_t, 8>>(list, right, nodes, type, 1).ok);
      }
    }
  }
}

TEST_CASE("mst check catches every planted error") {
  Sample sample(4);
  for (const WeightType type : {WeightType::i64, WeightType::f32}) {
    const WeightedList list = with_random_weights(random_edges(120, 400, 30), type);
    const WeightedList right = minimum_spanning_forest(120, list);
    const auto refused = [&](const WeightedList& forest) {
      if (!sample.takes(1)) return true;
      return !check<Record<std::uint32_t, 8>>(list, forest, 120, type, 1).ok;
    };
    const auto sorted = [](WeightedList forest) {
      std::sort(forest.begin(), forest.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
        return std::tie(a.source, a.target) < std::tie(b.source, b.target);
      });
      return forest;
    };
    REQUIRE(check<Record<std::uint32_t, 8>>(list, right, 120, type, 1).ok);
    std::size_t missed = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      WeightedList forest = right;  // an edge dropped
      forest.erase(forest.begin() + static_cast<std::ptrdiff_t>(i));
      missed += !refused(forest);
      forest = right;  // with another weight
      forest[i].weight += 1;
      if (forest[i].weight != right[i].weight) missed += !refused(forest);
      forest = right;  // doubled
      forest.insert(forest.begin() + static_cast<std::ptrdiff_t>(i), right[i]);
      missed += !refused(forest);
      forest = right;  // the larger end first
      std::swap(forest[i].source, forest[i].target);
      missed += !refused(forest);
      forest = right;  // to a node that does not exist
      forest[i].target = 120;
      missed += !refused(sorted(forest));
      if (i == 0) continue;
      forest = right;  // out of order
      std::swap(forest[i], forest[i - 1]);
      missed += !refused(forest);
    }
    // Any edge of the graph put in, or put in for one of the forest, however equal the weights are.
    for (std::size_t i = 0; i < list.size(); ++i) {
      WeightedEdge edge = list[i];
      if (edge.source == edge.target) continue;
      if (edge.target < edge.source) std::swap(edge.source, edge.target);
      if (std::find(right.begin(), right.end(), edge) != right.end()) continue;
      WeightedList forest = right;
      forest.push_back(edge);
      missed += !refused(sorted(forest));
      for (std::size_t k = i % 7; k < right.size(); k += 7) {
        forest = right;
        forest[k] = edge;
        missed += !refused(sorted(forest));
      }
    }
    CHECK(missed == 0);
  }
}

TEST_CASE("mst check names the edge that is wrong") {
  const WeightedList graph = {{0, 1, 2}, {2, 1, 2}, {0, 2, 2}, {3, 2, 5}, {3, 2, 4}, {4, 4, 0}};
  const WeightedList right = {{0, 1, 2}, {0, 2, 2}, {2, 3, 4}};
  const auto message = [&](const WeightedList& forest) {
    return check<Record<std::uint32_t, 4>>(graph, forest, 5, WeightType::u32, 1).message;
  };
  CHECK(message(right) == "");
  CHECK(message({{0, 1, 2}, {1, 2, 2}, {2, 3, 4}}) ==
        "edge 2 of the graph, (0, 2) with weight 2, is smaller than edge (1, 2) with weight 2 of the forest, "
        "which lies on the cycle that it closes");
  CHECK(message({{0, 1, 2}, {0, 2, 2}, {2, 3, 5}}) ==
        "edge 4 of the graph, (2, 3) with weight 4, is smaller than edge (2, 3) with weight 5 of the forest, "
        "which lies on the cycle that it closes");
  CHECK(message({{0, 1, 2}, {0, 2, 2}}) ==
        "edge 3 of the graph, (2, 3) with weight 5, joins two trees of the forest");
  CHECK(message({{0, 1, 2}, {0, 2, 2}, {1, 2, 2}, {2, 3, 4}}) ==
        "edge (1, 2) with weight 2 closes a cycle in the forest");
  CHECK(message({{0, 1, 2}, {0, 2, 2}, {2, 3, 3}}) ==
        "edge (2, 3) with weight 3 is not an edge of the graph");
  CHECK(message({{0, 1, 2}, {0, 2, 2}, {0, 4, 9}, {2, 3, 4}}) ==
        "edge (0, 4) with weight 9 is not an edge of the graph");
  CHECK(message({{0, 2, 2}, {0, 1, 2}, {2, 3, 4}}) ==
        "edge 1 (0, 1) comes after (0, 2): the forest is not sorted and unique");
  CHECK(message({{1, 0, 2}, {0, 2, 2}, {2, 3, 4}}) == "edge 0 (1, 0) does not have its smaller end first");
  CHECK(message({{0, 1, 2}, {0, 5, 2}}) == "edge 1 (0, 5): the graph has only the nodes below 5");
}

TEST_CASE("mst check computes hash and unit weights itself") {
  const EdgeList edges = random_edges(200, 600, 31);
  for (const WeightRule rule : {WeightRule::hash, WeightRule::unit}) {
    WeightedList list;
    for (const graph::Edge64& edge : edges) {
      const std::uint64_t weight =
          rule == WeightRule::hash ? hash_weight(edge.source, edge.target, 17) : std::uint64_t{1};
      list.push_back({edge.source, edge.target, static_cast<long double>(weight)});
    }
    graph::mst::CheckOptions options;
    options.weighting.rule = rule;
    options.weighting.modulus = 17;
    const WeightedList right = minimum_spanning_forest(200, list);
    TestEnvironment test{.memory_bytes = core::MiB, .threads = 2};
    const auto verdict = [&] {
      return check_in<Record<std::uint64_t, 0>>(test, list, right, WeightType::u32,
                                                {.facts = facts_with(200)}, options);
    };
    CHECK(verdict().ok);
    options.weighting.rule = rule == WeightRule::hash ? WeightRule::unit : WeightRule::hash;
    CHECK(!verdict().ok);
  }
}

TEST_CASE(
    "mst check refuses NaN, ids beyond n and weights of another kind, and says how much memory it needs") {
  const WeightedList graph = {{0, 1, 1}, {1, 2, 1}};
  const auto nan = std::numeric_limits<long double>::quiet_NaN();
  CHECK_THROWS_AS((check<Record<std::uint32_t, 8>>({{0, 1, nan}}, {}, 3, WeightType::f64)), core::DataError);
  CHECK_THROWS_AS((check<Record<std::uint32_t, 8>>(graph, {{0, 1, nan}}, 3, WeightType::f64)),
                  core::DataError);
  CHECK_THROWS_AS((check<Record<std::uint32_t, 4>>({{0, 9, 1}}, {}, 3, WeightType::u32)), core::DataError);
  TestEnvironment test{.memory_bytes = core::MiB};
  CHECK_THROWS_AS((check_in<Record<std::uint32_t, 4>>(test, graph, graph, WeightType::u32,
                                                      {.facts = weighted_facts(3, WeightType::f32)})),
                  core::UsageError);
  try {
    check_in<Record<std::uint32_t, 4>>(test, graph, graph, WeightType::u32,
                                       {.facts = weighted_facts(1000000, WeightType::u32)});
    FAIL("no error");
  } catch (const core::MemoryLimitError& error) {
    CHECK_THAT(error.what(), Catch::Matchers::Contains("-M 9M"));
  }
  TestEnvironment enough{.memory_bytes = 9 * core::MiB};
  CHECK(check_in<Record<std::uint32_t, 4>>(enough, graph, graph, WeightType::u32,
                                           {.facts = weighted_facts(1000000, WeightType::u32)})
            .ok);
}

TEST_CASE("mst check survives the failure of any reservation without a leak") {
  const WeightedList list = with_random_weights(random_edges(3000, 9000, 32), WeightType::f64);
  const WeightedList right = minimum_spanning_forest(3000, list);
  const auto most = fail_each(Fault::reservation, {4 * core::MiB, 2, 1}, [&](TestEnvironment& test) {
    const bool ok = check_in<Record<std::uint32_t, 8>>(test, list, right, WeightType::f64,
                                                       {.facts = weighted_facts(3000, WeightType::f64)})
                        .ok;
    CHECK(ok);
  });
  CHECK(most > 3);
}

}  // namespace
}  // namespace emgraph::tests::mst
