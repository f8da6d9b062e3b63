// SPDX-License-Identifier: MIT
// The checker accepts what is right and catches every planted error, with levels in memory and by sorting.
#include "graph/bfs/check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "core/base/error.hpp"
#include "tests/oracle/bfs_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/vector_reader.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::bfs {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
using graph::bfs::CheckOptions;
using graph::bfs::Verdict;
using Values = std::vector<std::uint64_t>;
constexpr std::uint64_t unreached = ~std::uint64_t{0};

/// With n known; with n and the number of values unknown: by sorting.
struct Way {
  const char* model;
  bool nodes_known;
  bool values_counted;
};
constexpr Way ways[] = {
    {"semi-external", true, true}, {"semi-external", false, true}, {"external", false, false}};

template <class R>
Verdict check_in(TestEnvironment& test, const ZooGraph& graph, const Values& levels, const Values* parents,
                 const Way& way, const CheckOptions& check_options) {
  VectorSourceOptions options{.rewindable = false};
  if (way.nodes_known) options.facts.nodes = graph.nodes;
  VectorSource<R> source(records_of<R>(graph.edges), options);
  VectorReader level_reader(levels, way.values_counted);
  std::optional<VectorReader> parent_reader;
  if (parents != nullptr) parent_reader.emplace(*parents, way.values_counted);
  return graph::bfs::check<typename R::id_type>(
      test.environment, source, level_reader, parents != nullptr ? &*parent_reader : nullptr, check_options);
}

template <class R>
Verdict check(const ZooGraph& graph, const Values& levels, const Values* parents, const Way& way,
              const CheckOptions& options = {}, unsigned threads = 2) {
  TestEnvironment test{.memory_bytes = 4 * core::MiB, .disks = 2, .threads = threads};
  const Verdict verdict = check_in<R>(test, graph, levels, parents, way, options);
  CHECK(name(verdict.choice.model) == way.model);
  CHECK(test.memory.used() == 0);
  CHECK(test.memory.peak() <= test.memory_bytes);
  CHECK(test.blocks.used_bytes() == 0);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

TEST_CASE("bfs check accepts the search of every graph") {
  Sample sample(2);
  for (const ZooGraph& any : graph_zoo()) {
    for (const Way& way : ways) {
      const ZooGraph graph = way.nodes_known ? any : without_last_isolated(any);
      for (const bool directed : {false, true}) {
        if (!sample.takes()) continue;
        const std::uint64_t root = graph.nodes / 3;
        const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, directed);
        CAPTURE(graph.name, way.model, way.nodes_known, directed);
        const auto wanted = graph.nodes > 0 ? std::optional(root) : std::nullopt;
        const CheckOptions options{.root = wanted, .directed = directed};
        const Verdict verdict =
            check<Record<std::uint32_t, 0>>(graph, right.levels, &right.parents, way, options);
        CHECK(verdict.message == "");
        CHECK(verdict.root == wanted);
        CHECK(verdict.reached == right.reached);
        CHECK(verdict.nodes == graph.nodes);
        CHECK(verdict.edges == graph.edges.size());
        CHECK(check<Record<std::uint64_t, 0>>(graph, right.levels, nullptr, way, options, 1).ok);
        if (graph.nodes > 1 && root + 1 < graph.nodes) {
          CHECK(!check<Record<std::uint32_t, 0>>(graph, right.levels, nullptr, way,
                                                 {.root = root + 1, .directed = directed})
                     .ok);
        }
      }
    }
  }
}

// Every other value at every node is wrong: levels and parents are unique for a root.
TEST_CASE("bfs check catches every planted error") {
  Sample sample(5);
  const ZooGraph graph = without_last_isolated({"random", 0, random_edges(120, 170, 31)});
  for (const bool directed : {false, true}) {
    const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 5, directed);
    REQUIRE(right.reached > 20);
    REQUIRE(right.reached < graph.nodes);
    for (const Way& way : ways) {
      CAPTURE(way.model, way.nodes_known, directed);
      const CheckOptions options{.root = 5, .directed = directed};
      const auto passes = [&](const Values& levels, const Values* parents) {
        return check<Record<std::uint32_t, 0>>(graph, levels, parents, way, options, 1).ok;
      };
      REQUIRE(passes(right.levels, &right.parents));
      std::size_t missed = 0;
      for (std::uint64_t node = 0; node < graph.nodes; ++node) {
        for (const std::uint64_t level : {std::uint64_t{0}, right.levels[node] + 1, right.levels[node] - 1,
                                          unreached, std::uint64_t{7}}) {
          if (level == right.levels[node]) continue;
          Values levels = right.levels;
          levels[node] = level;
          if (level >= 0xffffffff && level != unreached) continue;
          if (sample.takes(1)) missed += passes(levels, nullptr);
        }
        for (const std::uint64_t parent : {std::uint64_t{0}, node, right.parents[node] + 1,
                                           right.parents[node] - 1, unreached, graph.nodes}) {
          if (parent == right.parents[node]) continue;
          Values parents = right.parents;
          parents[node] = parent;
          if (sample.takes(1)) missed += passes(right.levels, &parents);
        }
      }
      for (const bool longer : {false, true}) {
        Values levels = right.levels, parents = right.parents;
        levels.resize(graph.nodes + (longer ? 1 : -1), unreached);
        parents.resize(levels.size(), unreached);
        missed += passes(levels, nullptr);
        missed += passes(right.levels, &parents);
        missed += passes({}, nullptr);
      }
      CHECK(missed == 0);
    }
  }
}

TEST_CASE("bfs check names the wrong node or edge") {
  const ZooGraph graph{"path and edge", 7, {{0, 1}, {2, 1}, {2, 3}, {3, 2}, {1, 4}, {4, 3}, {5, 6}}};
  const Values levels{0, 1, 2, 3, 2, unreached, unreached};
  const Values parents{0, 0, 1, 2, 1, unreached, unreached};
  for (const Way& way : ways) {
    const auto message = [&](std::size_t node, std::uint64_t level) {
      Values wrong = levels;
      wrong[node] = level;
      return check<Record<std::uint32_t, 0>>(graph, wrong, nullptr, way).message;
    };
    const auto parent_message = [&](std::size_t node, std::uint64_t parent) {
      Values wrong = parents;
      wrong[node] = parent;
      return check<Record<std::uint32_t, 0>>(graph, levels, &wrong, way).message;
    };
    CHECK(message(0, 1) == "no node has level 0: there is no root");
    CHECK(message(5, 0) == "node 5 has level 0, and so has node 0: only one can be the root");
    CHECK_THAT(message(3, 4), Contains("has level 4") && Contains("edge"));
    CHECK_THAT(message(6, 3), Contains("node 5 is unreached") && Contains("node 6 has level 3"));
    CHECK(message(3, 2) == "node 3 has level 2, but no neighbour on the level above");
    CHECK(parent_message(3, 4) == "node 3 has parent 4, but neighbour 2 on the level above is smaller");
    CHECK(parent_message(3, 1) == "node 3 has parent 1, which is no neighbour on the level above");
    CHECK(parent_message(0, 1) == "node 0 is the root, but has parent 1; expected itself");
    CHECK(parent_message(5, 2) == "node 5 is unreached, but has parent 2");
    CHECK_THAT(parent_message(4, unreached), Contains("node 4 is reached, but has no parent"));
  }
}

// The level after all ones wraps to that of the root.
TEST_CASE("bfs check misses no unreached neighbour of the root") {
  for (const ZooGraph& graph : {ZooGraph{"out", 3, {{0, 1}, {0, 2}}}, ZooGraph{"in", 3, {{1, 0}, {2, 0}}}}) {
    for (const Way& way : ways) {
      for (const Values& levels : {Values{0, unreached, unreached}, Values{0, 1, unreached}}) {
        CHECK_THAT((check<Record<std::uint32_t, 0>>(graph, levels, nullptr, way).message),
                   Contains("is unreached") && Contains("edge"));
      }
    }
  }
}

TEST_CASE("bfs check sorts when levels do not fit") {
  constexpr std::uint64_t nodes = 1500000;  // 6 MB of levels, 3 MiB are allowed
  const ZooGraph graph{"sparse ids", nodes, random_edges(nodes / 50, 60000, 32)};
  const BfsAnswer right = breadth_first(nodes, graph.edges, 1, false);
  const auto verdict = [&](const Values& levels, const Values& parents) {
    TestEnvironment test{.memory_bytes = 3 * core::MiB, .disks = 2, .threads = 2};
    const Verdict found = check_in<Record<std::uint32_t, 0>>(test, graph, levels, &parents, ways[0], {});
    CHECK(name(found.choice.model) == "external");
    CHECK(test.statistics.snapshot().write_bytes > 100000);
    CHECK(test.memory.used() == 0);
    CHECK(test.memory.peak() <= test.memory_bytes);
    CHECK(test.blocks.used_bytes() == 0);
    return found;
  };
  CHECK(verdict(right.levels, right.parents).ok);
  Values wrong = right.levels;
  *std::find_if(wrong.begin() + 20000, wrong.end(), [](std::uint64_t l) { return l != unreached; }) += 1;
  CHECK_THAT(verdict(wrong, right.parents).message, Contains("level"));
}

TEST_CASE("bfs check refuses edges beyond n") {
  const ZooGraph graph{"beyond", 5, {{0, 1}, {2, 5}}};
  const Values levels{0, 1, unreached, unreached, unreached};
  CHECK_THROWS_WITH((check<Record<std::uint32_t, 0>>(graph, levels, nullptr, ways[0])),
                    Contains("edge 1: id 5"));
  CHECK_THAT((check<Record<std::uint32_t, 0>>(graph, levels, nullptr, ways[1]).message),
             Contains("there are 5 levels for 6 nodes"));
}

TEST_CASE("bfs check survives the failure of any transfer and reservation without a leak") {
  const ZooGraph graph = without_last_isolated({"random", 0, random_edges(20000, 40000, 33)});
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 1, false);
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {3 * core::MiB, 2, 2}, [&](TestEnvironment& test) {
      const bool ok =
          check_in<Record<std::uint64_t, 0>>(test, graph, right.levels, &right.parents, ways[2], {}).ok;
      CHECK(ok);
    });
    CHECK(most > 2);
  }
}

}  // namespace
}  // namespace emgraph::tests::bfs
