// SPDX-License-Identifier: MIT
// The checker accepts what is right and catches every planted error, with values in memory and by sorting.
#include "graph/sssp/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "tests/graph/sssp/check_answer.hpp"
#include "tests/oracle/mst_oracle.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::sssp_check {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
using graph::WeightRule;
constexpr std::uint64_t unreached = ~std::uint64_t{0};

/// True if an arc leads from a reached node to one that is unreached because its distance does not fit.
bool overflows(const WeightedGraph& graph, const ShortestPaths& paths, bool directed) {
  const std::uint64_t none = graph::sssp::unreached_word(graph.type);
  return std::ranges::any_of(graph.arcs, [&](const LengthArc& arc) {
    const bool from = paths.distances[arc.source] != none;
    const bool to = paths.distances[arc.target] != none;
    return from != to && (from || !directed);
  });
}

TEST_CASE("sssp check accepts the shortest paths of every graph") {
  Sample sample(4);
  for (const ZooGraph& any : graph_zoo()) {
    for (const Way& way : ways) {
      const ZooGraph zoo = way.nodes_known ? any : without_last_isolated(any);
      for (const WeightType type : weight_types) {
        const WeightedGraph graph = with_random_weights(zoo, type);
        for (const bool directed : {false, true}) {
          if (!sample.takes()) continue;
          CAPTURE(graph.name, way.model, way.nodes_known, int(type), directed);
          const std::uint64_t root = graph.nodes / 3;
          const ShortestPaths right = answer(graph, root, directed);
          if (overflows(graph, right, directed)) continue;
          const auto wanted = graph.nodes > 0 ? std::optional(root) : std::nullopt;
          const CheckOptions options{.directed = directed, .root = wanted};
          const Verdict verdict = check_any(graph, right.distances, &right.parents, way, options);
          CHECK(verdict.message == "");
          CHECK(verdict.root == wanted);
          CHECK(verdict.reached == right.reached);
          CHECK(verdict.nodes == graph.nodes);
          CHECK(verdict.edges == graph.arcs.size());
          CHECK(
              check_any(graph, right.distances, nullptr, way, options, true, {3 * core::MiB, 1, 1}).message ==
              "");
          CHECK(check_any(graph, right.distances, &right.parents, way, {.directed = directed}).root ==
                wanted);
          CHECK(check_any(graph, right.distances, nullptr, way, {.directed = directed}).message == "");
        }
      }
    }
  }
}

TEST_CASE("sssp check computes weights by rule") {
  const ZooGraph zoo = without_last_isolated({"random", 0, random_edges(200, 500, 41)});
  for (const bool unit : {false, true}) {
    WeightedGraph graph = with_random_weights(zoo, WeightType::u32);
    for (LengthArc& arc : graph.arcs) arc.length = unit ? 1 : hash_weight(arc.source, arc.target, 7);
    const ShortestPaths right = answer(graph, 3, true);
    const CheckOptions options{
        .directed = true, .weighting = {unit ? WeightRule::unit : WeightRule::hash, 7}, .root = 3};
    graph.type = WeightType::none;
    for (const Way& way : ways) {
      CHECK(check<Record<std::uint32_t, 0>>(graph, right.distances, &right.parents, way, options).message ==
            "");
      Values wrong = right.distances;
      ++*std::find_if(wrong.begin(), wrong.end(), [](std::uint64_t d) { return d > 1 && d != unreached; });
      CHECK(!check<Record<std::uint32_t, 0>>(graph, wrong, nullptr, way, options).ok);
    }
  }
}

// Every other value at every node is wrong: distances and parents are unique for a root.
TEST_CASE("sssp check catches every planted error") {
  if (only_races) return;  // one thread
  Sample sample(5);
  const ZooGraph zoo = without_last_isolated({"random", 0, random_edges(90, 140, 31)});
  for (const WeightType type : {WeightType::u32, WeightType::i64, WeightType::f64}) {
    const WeightedGraph graph = with_random_weights(zoo, type);
    const bool floating = graph::sssp::is_floating(type);
    for (const bool directed : {false, true}) {
      const ShortestPaths right = answer(graph, 5, directed);
      REQUIRE(right.reached > 15);
      REQUIRE(right.reached < graph.nodes);
      for (const Way& way : {ways[0], ways[2]}) {
        CAPTURE(way.model, directed, int(type));
        const CheckOptions options{.directed = directed, .root = 5};
        const Machine machine{3 * core::MiB, 1, 1};
        const auto passes = [&](const Values& distances, const Values* parents) {
          return check_any(graph, distances, parents, way, options, false, machine).ok;
        };
        REQUIRE(passes(right.distances, &right.parents));
        std::size_t missed = 0;
        for (std::uint64_t node = 0; node < graph.nodes; ++node) {
          const std::uint64_t distance = right.distances[node];
          for (const std::uint64_t other : {std::uint64_t{0}, distance + 1, distance - 1,
                                            graph::sssp::unreached_word(type), bits_of(type, 7)}) {
            // Beyond infinity are words that are not numbers; the next test has them.
            if (other == distance || (floating && other > graph::sssp::unreached_word(type))) continue;
            Values distances = right.distances;
            distances[node] = other;
            if (sample.takes(machine.threads)) missed += passes(distances, nullptr);
          }
          for (const std::uint64_t parent : {std::uint64_t{0}, node, right.parents[node] + 1,
                                             right.parents[node] - 1, unreached, graph.nodes}) {
            if (parent == right.parents[node]) continue;
            Values parents = right.parents;
            parents[node] = parent;
            if (sample.takes(machine.threads)) missed += passes(right.distances, &parents);
          }
        }
        for (const bool longer : {false, true}) {
          Values distances = right.distances;
          Values parents = right.parents;
          distances.resize(graph.nodes + (longer ? 1 : -1), graph::sssp::unreached_word(type));
          parents.resize(distances.size(), unreached);
          missed += passes(distances, nullptr);
          missed += passes(right.distances, &parents);
          missed += passes({}, nullptr);
        }
        CHECK(missed == 0);
      }
    }
  }
}

TEST_CASE("sssp check names the wrong node or edge") {
  // 0 -3- 1 -1- 2 -1- 3, 1 -1- 4 -1- 3, 5 -2- 6
  const WeightedGraph graph{"paths",
                            7,
                            WeightType::u32,
                            {{0, 1, 3}, {2, 1, 1}, {2, 3, 1}, {3, 2, 9}, {1, 4, 1}, {4, 3, 1}, {5, 6, 2}}};
  const Values distances{0, 3, 4, 5, 4, unreached, unreached};
  const Values parents{0, 0, 1, 2, 1, unreached, unreached};
  for (const Way& way : ways) {
    const auto message = [&](std::size_t node, std::uint64_t distance, const CheckOptions& options = {}) {
      Values wrong = distances;
      wrong[node] = distance;
      return check_any(graph, wrong, nullptr, way, options).message;
    };
    const auto parent_message = [&](std::size_t node, std::uint64_t parent) {
      Values wrong = parents;
      wrong[node] = parent;
      const Verdict verdict = check_any(graph, distances, &wrong, way, {});
      CHECK(verdict.about_parents);
      return verdict.message;
    };
    REQUIRE(check_any(graph, distances, &parents, way, {}).message == "");
    CHECK(message(0, 1) == "no node has distance 0: there is no root");
    CHECK(message(0, 1, {.root = 0}) == "root 0 has distance 1, expected distance 0");
    CHECK(message(0, unreached, {.root = 0}) == "root 0 is unreached, expected distance 0");
    CHECK(message(0, 0, {.root = 5}) == "root 5 is unreached, expected distance 0");
    CHECK_THROWS_AS(check_any(graph, distances, nullptr, way, {.root = 7}), core::UsageError);
    CHECK(message(3, 6) == "edge 2 -> 3: node 3 has distance 6, expected at most 5 by this edge");
    CHECK(message(6, 3) == "edge 6 -> 5: node 5 is unreached, expected at most 5 by this edge");
    CHECK(message(5, 0) == "edge 5 -> 6: node 6 is unreached, expected at most 2 by this edge");
    CHECK(message(3, 4) == "node 3 has a distance that no path from the root has");
    CHECK(parent_message(3, 4) ==
          "node 3 has parent 4, but 2 is smaller and also before it on a shortest path");
    CHECK(parent_message(3, 1) == "node 3 has parent 1, which is not a nearer neighbour on a shortest path");
    CHECK(parent_message(0, 1) == "no node is its own parent: there is no root");
    CHECK(parent_message(1, 1) == "node 1 is its own parent, and so is node 0: only one can be the root");
    CHECK(parent_message(5, 2) == "node 5 is unreached, but has parent 2");
    CHECK(parent_message(4, unreached) == "node 4 is reached, but has no parent; expected 1 or smaller");
    CHECK(!check_any(graph, {0, 3, 4, 6, 4, unreached, unreached}, &parents, way, {}).about_parents);
  }
}

TEST_CASE("sssp check refuses words that are no distances") {
  const WeightedGraph graph{"edge", 2, WeightType::f64, {{0, 1, bits_of(WeightType::f64, 0.5)}}};
  const auto word = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  for (const Way& way : ways) {
    CHECK(check_any(graph, {word(-0.0), word(0.5)}, nullptr, way, {}).ok);
    CHECK(check_any(graph, {0, word(std::nan(""))}, nullptr, way, {}).message ==
          "node 1 has distance nan, expected a number of 0 or more, or inf");
    CHECK(check_any(graph, {0, word(-1)}, nullptr, way, {}).message ==
          "node 1 has distance -1, expected a number of 0 or more, or inf");
    CHECK(check_any(graph, {0, word(0.75)}, nullptr, way, {}).message ==
          "edge 0 -> 1: node 1 has distance 0.75, expected at most 0.5 by this edge");
  }
  TestEnvironment test{.memory_bytes = 3 * core::MiB};
  for (const WeightType type : {WeightType::f64, WeightType::i64}) {
    WeightedGraph other = graph;
    other.type = type;
    VectorSource<Record<std::uint32_t, 8>> source(weighted_records<Record<std::uint32_t, 8>>(other),
                                                  {.facts = facts_of(other, true, 4)});
    VectorReader reader({0, 1}, true, type == WeightType::i64);
    CHECK_THROWS_WITH(graph::sssp::check<std::uint32_t>(test.environment, source, reader, nullptr, {}),
                      Contains("edges.test: the weights are") && Contains("but the distances"));
  }
}

TEST_CASE("sssp check refuses weights that no arc may have") {
  const auto refuses = [](WeightType type, double weight, const std::string& text) {
    const WeightedGraph graph{"edge", 3, type, {{0, 1, bits_of(type, 1)}, {2, 1, bits_of(type, weight)}}};
    for (const Way& way : ways) {
      CHECK_THROWS_WITH(
          check_any(graph, {0, bits_of(type, 1), 0}, nullptr, way, {.root = 0}),
          Contains("edges.test: edge 1 (2, 1): weight " + text + " found, expected a finite number"));
    }
  };
  for (const WeightType type : {WeightType::f32, WeightType::f64}) {
    refuses(type, -0.5, "-0.5");
    refuses(type, std::numeric_limits<double>::infinity(), "inf");
    refuses(type, std::nan(""), "NaN");
  }
  const WeightedGraph graph{"edge", 2, WeightType::i64, {{0, 1, static_cast<std::uint64_t>(-3)}}};
  for (const Way& way : ways) {
    CHECK_THROWS_WITH(check_any(graph, {0, 3}, nullptr, way, {}), Contains("edge 0 (0, 1): weight -3 found"));
  }
}

TEST_CASE("sssp check names the edge to a node whose distance does not fit") {
  const std::uint64_t large = std::uint64_t{1} << 62;
  const WeightedGraph integers{"chain",
                               6,
                               WeightType::i64,
                               {{0, 1, large}, {1, 2, large}, {2, 3, large}, {3, 4, large}, {4, 5, large}}};
  const double huge = 1e308;
  WeightedGraph doubles{"chain",
                        3,
                        WeightType::f64,
                        {{0, 1, bits_of(WeightType::f64, huge)}, {1, 2, bits_of(WeightType::f64, huge)}}};
  for (const Way& way : ways) {
    for (const bool directed : {false, true}) {
      const CheckOptions options{.directed = directed, .root = 0};
      const ShortestPaths right = answer(integers, 0, directed);
      REQUIRE(right.distances[3] == 3 * large);
      REQUIRE(right.distances[4] == unreached);
      CHECK(check_any(integers, right.distances, &right.parents, way, options).message ==
            "edge 3 -> 4: node 4 is unreached, but this edge leads to it; its distance does not fit into 64 "
            "bits");
      const ShortestPaths right_doubles = answer(doubles, 0, directed);
      REQUIRE(right_doubles.distances[2] == graph::sssp::FloatDistances::unreached);
      CHECK_THAT(check_any(doubles, right_doubles.distances, &right_doubles.parents, way, options).message,
                 Contains("edge 1 -> 2: node 2 is unreached"));
    }
  }
}

TEST_CASE("sssp check of wide ids") {
  const std::uint64_t far = (std::uint64_t{1} << 40) + 7;
  const WeightedGraph graph{"far", far + 1, WeightType::u32, {{1, far, 2}}};
  TestEnvironment test{.memory_bytes = 3 * core::MiB};
  VectorSource<Record<std::uint64_t, 4>> source(weighted_records<Record<std::uint64_t, 4>>(graph),
                                                {.facts = facts_of(graph, true, 8)});
  VectorReader few({unreached, 0});
  CHECK_THAT(graph::sssp::check<std::uint64_t>(test.environment, source, few, nullptr, {}).message,
             Contains("there are 2 distances for 1099511627784 nodes"));
  const ZooGraph zoo = without_last_isolated({"random", 0, random_edges(3000, 9000, 43)});
  const WeightedGraph wide = with_random_weights(zoo, WeightType::u32);
  const ShortestPaths right = answer(wide, 2, true);
  for (const Way& way : ways) {
    CHECK(
        check_any(wide, right.distances, &right.parents, way, {.directed = true, .root = 2}, true).message ==
        "");
  }
}

TEST_CASE("sssp check sorts when values do not fit") {
  constexpr std::uint64_t nodes = 600000;  // 4.8 MB of distances, 3 MiB are allowed
  for (const WeightType type : weight_types) {
    if (sized(false, type != WeightType::u32 && type != WeightType::f64)) continue;
    const WeightedGraph graph =
        with_random_weights({"sparse ids", nodes, random_edges(nodes / 20, 60000, 32)}, type);
    const ShortestPaths right = answer(graph, 1, false);
    const auto verdict = [&](const Values& distances, const Values& parents) {
      TestEnvironment test{.memory_bytes = 3 * core::MiB, .disks = 2, .threads = 2};
      const NothingLeft nothing_left(test);
      const Verdict found =
          graph::weight_bytes(type) == 4
              ? check_in<Record<std::uint32_t, 4>>(test, graph, distances, &parents, ways[0], {})
              : check_in<Record<std::uint32_t, 8>>(test, graph, distances, &parents, ways[0], {});
      CHECK(name(found.choice.model) == "external");
      CHECK(test.statistics.snapshot().write_bytes > 1000000);
      return found;
    };
    CHECK(verdict(right.distances, right.parents).message == "");
    Values wrong = right.distances;
    *std::find_if(wrong.begin() + 20000, wrong.end(),
                  [&](std::uint64_t d) { return d != graph::sssp::unreached_word(type); }) += 1;
    CHECK_THAT(verdict(wrong, right.parents).message, Contains("distance"));
  }
}

TEST_CASE("sssp check refuses edges beyond n") {
  const WeightedGraph graph{"beyond", 5, WeightType::u32, {{0, 1, 1}, {2, 5, 1}}};
  const Values distances{0, 1, unreached, unreached, unreached};
  CHECK_THROWS_WITH(check_any(graph, distances, nullptr, ways[0], {}), Contains("edge 1: id 5"));
  CHECK_THAT(check_any(graph, distances, nullptr, ways[1], {}).message,
             Contains("there are 5 distances for 6 nodes"));
  CHECK_THAT(check_any(graph, distances, nullptr, ways[2], {}).message,
             Contains("there are 5 distances for 6 nodes"));
}

TEST_CASE("sssp check survives the failure of any transfer and reservation without a leak") {
  const ZooGraph zoo = without_last_isolated({"random", 0, random_edges(20000, 40000, 33)});
  const WeightedGraph graph = with_random_weights(zoo, WeightType::u32);
  const ShortestPaths right = answer(graph, 1, false);
  for (const Way& way : {ways[0], ways[2]}) {
    for (const Fault fault : all_faults) {
      const auto most = fail_each(fault, {3 * core::MiB, 2, 2}, [&](TestEnvironment& test) {
        const bool ok =
            check_in<Record<std::uint64_t, 4>>(test, graph, right.distances, &right.parents, way, {.root = 1})
                .ok;
        CHECK(ok);
      });
      CHECK(most > 2);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::sssp_check
