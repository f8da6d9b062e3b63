// SPDX-License-Identifier: MIT
// Arcs that add nothing: they support nodes only along paths from the root, in memory and on disk.
#include <algorithm>
#include <bit>
#include <string>

#include "tests/graph/sssp/check_answer.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::sssp_check {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
constexpr std::uint64_t no_distance = ~std::uint64_t{0};

WeightedGraph of_weights(const ZooGraph& zoo, WeightType type, double weight) {
  WeightedGraph graph{zoo.name, zoo.nodes, type, {}};
  for (const graph::Edge64& edge : zoo.edges)
    graph.arcs.push_back({edge.source, edge.target, bits_of(type, weight)});
  return graph;
}

/// A way with enough memory for the nodes, but not for the arcs that add nothing.
constexpr Machine spilling{6 * core::MiB, 2, 2};

}  // namespace

TEST_CASE("sssp check: all arcs add nothing") {
  Sample sample(4);
  for (const ZooGraph& any : graph_zoo()) {
    const ZooGraph zoo = without_last_isolated(any);
    if (zoo.nodes == 0) continue;
    const WeightedGraph graph = of_weights(zoo, WeightType::f32, 0);
    for (const Way& way : ways) {
      for (const bool directed : {false, true}) {
        CAPTURE(graph.name, way.model, directed);
        const std::uint64_t root = graph.nodes / 2;
        const ShortestPaths right = answer(graph, root, directed);
        const auto message = [&](bool with_parents, std::optional<std::uint64_t> wanted) {
          return check_any(graph, right.distances, with_parents ? &right.parents : nullptr, way,
                           {.directed = directed, .root = wanted})
              .message;
        };
        for (const bool with_parents : {true, false}) {
          if (sample.takes()) CHECK(message(with_parents, root) == "");
          if (sample.takes()) CHECK(message(with_parents, std::nullopt) == "");
        }
      }
    }
  }
}

TEST_CASE("sssp check: cycles do not support themselves") {
  // 0 -> 1 of length 5; the cycle 2 -> 3 -> 4 -> 2 of length 0, which 1 -> 4 of length 1 reaches.
  const WeightedGraph graph{
      "cycle", 6, WeightType::u32, {{0, 1, 5}, {2, 3, 0}, {3, 4, 0}, {4, 2, 0}, {1, 4, 1}, {5, 5, 0}}};
  const Values right{0, 5, 6, 6, 6, no_distance};
  const Values parents{0, 0, 4, 2, 1, no_distance};
  for (const Way& way : ways) {
    CAPTURE(way.model);
    const CheckOptions options{.directed = true, .root = 0};
    const auto message = [&](Values distances, const Values* with = nullptr) {
      return check_any(graph, distances, with, way, options).message;
    };
    CHECK(message(right, &parents) == "");
    CHECK(message({0, 5, 4, 4, 4, no_distance}) == "node 2 has a distance that no path from the root has");
    CHECK(message({0, 5, 0, 0, 0, no_distance}) == "node 2 has a distance that no path from the root has");
    CHECK(message({0, 5, 6, 6, 6, 0}) == "node 5 has a distance that no path from the root has");
    for (const auto& [node, parent] : {std::pair{2, 3}, {3, 4}, {3, 1}, {2, 1}}) {
      Values wrong = parents;
      wrong[static_cast<std::size_t>(node)] = static_cast<std::uint64_t>(parent);
      CHECK(message(right, &wrong) == "node " + std::to_string(node) + " has parent " +
                                          std::to_string(parent) + ", expected " +
                                          std::to_string(node == 2 ? 4 : 2) +
                                          ", the smallest of those with the fewest arcs that add nothing");
    }
    Values wrong = parents;
    wrong[4] = 3;
    CHECK_THAT(message(right, &wrong), Contains("node 4 has parent 3, but 1 is smaller"));
  }
}

TEST_CASE("sssp check: doubles absorb lengths") {
  // 1e20 + 1 is 1e20: the arcs of length 1 add nothing, both ways.
  const WeightedGraph graph{"absorbed",
                            5,
                            WeightType::f64,
                            {{4, 0, bits_of(WeightType::f64, 1e20)},
                             {0, 1, bits_of(WeightType::f64, 1)},
                             {1, 2, bits_of(WeightType::f64, 1)},
                             {2, 0, bits_of(WeightType::f64, 1)}}};
  for (const Way& way : ways) {
    for (const bool directed : {false, true}) {
      const CheckOptions options{.directed = directed, .root = 4};
      const ShortestPaths right = answer(graph, 4, directed);
      REQUIRE(right.distances[2] == std::bit_cast<std::uint64_t>(1e20));
      REQUIRE(right.parents[2] == (directed ? 1 : 0));
      CHECK(check_any(graph, right.distances, &right.parents, way, options).message == "");
      for (const std::size_t node : {0, 1, 2}) {
        for (const std::uint64_t parent : {0, 1, 2, 3, 4}) {
          if (parent == right.parents[node]) continue;
          Values wrong = right.parents;
          wrong[node] = parent;
          CHECK(!check_any(graph, right.distances, &wrong, way, options).ok);
        }
        Values wrong = right.distances;
        wrong[node] -= 1;
        CHECK(!check_any(graph, wrong, nullptr, way, options).ok);
      }
      Values all_less = right.distances;  // the cycle alone supports it
      for (const std::size_t node : {0, 1, 2}) all_less[node] -= 1;
      CHECK_THAT(check_any(graph, all_less, nullptr, way, options).message,
                 Contains("no path from the root"));
    }
  }
}

TEST_CASE("sssp check: the root among several nodes of distance 0") {
  // 7 -> 3 -> 5 -> 3 of length 0, 5 -> 1 of length 0, 1 -> 2 of length 4.
  const WeightedGraph graph{
      "chain", 8, WeightType::u32, {{7, 3, 0}, {3, 5, 0}, {5, 3, 0}, {5, 1, 0}, {1, 2, 4}}};
  for (const Way& way : ways) {
    CAPTURE(way.model);
    const auto verdict = [&](std::uint64_t root, bool directed) {
      const ShortestPaths right = answer(graph, root, directed);
      return check_any(graph, right.distances, nullptr, way, {.directed = directed});
    };
    CHECK(verdict(7, true).root == 7);
    CHECK(verdict(5, true).root == 3);
    CHECK(verdict(3, true).root == 3);
    CHECK(verdict(1, true).root == 1);
    CHECK(verdict(7, false).root == 1);
    const Values two{no_distance, no_distance, no_distance, 0, no_distance, 0, 0, no_distance};
    CHECK_THAT(check_any(graph, two, nullptr, way, {.directed = true}).message, Contains("edge 5 -> 1"));
    const Values apart{no_distance, 0, 4, 0, no_distance, 0, 0, no_distance};
    CHECK(check_any(graph, apart, nullptr, way, {.directed = true}).message ==
          "node 1 and node 6 have distance 0, but no path of length 0 leads from one to the other");
  }
}

TEST_CASE("sssp check: arcs that add nothing and do not fit") {
  Sample sample(3);
  const ZooGraph zoo = without_last_isolated({"random", 0, random_edges(100000, sized(600000, 400000), 51)});
  for (const double weight : {0.0, 1.0}) {
    WeightedGraph graph = of_weights(zoo, WeightType::f64, 0);
    // Around the root arcs that absorb the others, or not.
    if (weight > 0) {
      for (LengthArc& arc : graph.arcs) {
        const bool at_root = arc.source == 9 || arc.target == 9;
        arc.length = bits_of(WeightType::f64, at_root ? 1e20 : weight);
      }
    }
    for (const Way& way : {ways[0], ways[2]}) {
      for (const bool directed : {false, true}) {
        if (!sample.takes()) continue;
        CAPTURE(way.model, directed, weight);
        const ShortestPaths right = answer(graph, 9, directed);
        const auto message = [&](const Values& distances, const Values* parents, bool rooted) {
          TestEnvironment test = environment_of(spilling);
          const NothingLeft nothing_left(test);
          const CheckOptions options{.directed = directed,
                                     .root = rooted ? std::optional<std::uint64_t>(9) : std::nullopt};
          const Verdict verdict =
              check_in<Record<std::uint32_t, 8>>(test, graph, distances, parents, way, options);
          CHECK(name(verdict.choice.model) == way.model);
          CHECK(test.statistics.snapshot().write_bytes > sized(8, 4) * core::MiB);
          return verdict.message;
        };
        CHECK(message(right.distances, &right.parents, true) == "");
        if (!only_races) CHECK(message(right.distances, nullptr, false) == "");
        Values wrong = right.parents;
        const auto node =
            static_cast<std::size_t>(std::find_if(wrong.begin() + 50000, wrong.end(),
                                                  [](std::uint64_t p) { return p != no_distance; }) -
                                     wrong.begin());
        wrong[node] += 1;
        CHECK_THAT(message(right.distances, &wrong, true),
                   Contains("node " + std::to_string(node) + " has parent"));
      }
    }
  }
}

TEST_CASE("sssp check: faults among arcs that add nothing") {
  const ZooGraph zoo = without_last_isolated({"random", 0, random_edges(20000, sized(300000, 150000), 52)});
  const WeightedGraph graph = of_weights(zoo, WeightType::u32, 0);
  const ShortestPaths right = answer(graph, 1, true);
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {3 * core::MiB, 2, 2}, [&](TestEnvironment& test) {
      const bool ok = check_in<Record<std::uint32_t, 4>>(test, graph, right.distances, &right.parents,
                                                         ways[0], {.directed = true, .root = 1})
                          .ok;
      CHECK(ok);
    });
    CHECK(most > 10);
  }
}

}  // namespace emgraph::tests::sssp_check
