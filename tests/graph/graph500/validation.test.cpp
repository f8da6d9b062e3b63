// SPDX-License-Identifier: MIT
// The five rules: right results pass, and damage of each kind is found by its rule.
#include "graph/graph500/validation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "graph/graph500/kernels.hpp"
#include "tests/graph/graph500/disk_verdict.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr std::uint32_t nobody = ~std::uint32_t{0};

/// A result of each kernel from one root, to be damaged.
struct Results {
  explicit Results(unsigned threads) : test{.memory_bytes = 64 * core::MiB, .threads = threads} {
    std::vector<Edge64> list_edges(list.count);
    list.edges.fill(0, list_edges, {});
    neighbours.resize(list.edges.nodes());
    for (const auto [source, target] : list_edges) {
      if (source == target) continue;
      neighbours[source].push_back(static_cast<std::uint32_t>(target));
      neighbours[target].push_back(static_cast<std::uint32_t>(source));
    }
    while (neighbours[root].size() != 1) ++root;  // so that there are many levels
    const auto kernels = internal_kernels(test.environment, list, {.neighbours = true, .arcs = true});
    kernels->breadth_first(root);
    tree.assign(kernels->parents().begin(), kernels->parents().end());
    kernels->shortest_paths(root);
    shortest.assign(kernels->parents().begin(), kernels->parents().end());
    distances.assign(kernels->distances().begin(), kernels->distances().end());
  }

  /// Of validation in memory; that on disk gives the same.
  Verdict levels_verdict() {
    const Verdict verdict = Validator(test.environment, list).check_levels(root, tree);
    for (const auto copies : {Validator::Copies::levels, Validator::Copies::distances}) {
      check_same(verdict, Validator(test.environment, list, copies).check_levels(root, tree));
    }
    return same_on_disk(verdict, tree, {});
  }
  Verdict distances_verdict() {
    const Verdict verdict = Validator(test.environment, list).check_distances(root, shortest, distances);
    for (const auto copies : {Validator::Copies::levels, Validator::Copies::distances}) {
      check_same(verdict,
                 Validator(test.environment, list, copies).check_distances(root, shortest, distances));
    }
    return same_on_disk(verdict, shortest, distances);
  }
  static void check_same(const Verdict& verdict, const Verdict& found) {
    CHECK(found.violated_rule == verdict.violated_rule);
    CHECK(found.message == verdict.message);
    CHECK(found.edges == verdict.edges);
    CHECK(found.checksum == verdict.checksum);
  }
  Verdict same_on_disk(const Verdict& verdict, std::span<const std::uint32_t> parents,
                       std::span<const double> with_distances) {
    for (const bool keep : {false, true}) {
      const ValidationPlan plan{.grid = {.scale = 10, .piece_bits = 8}, .keep = keep};
      const Verdict found = disk_verdict(test.environment, list, plan, root, parents, with_distances);
      CHECK(found.violated_rule == verdict.violated_rule);
      CHECK(found.message == verdict.message);
    }
    return verdict;
  }
  std::uint64_t level(std::uint32_t node) const {
    std::uint64_t steps = 0;
    for (; node != root; node = tree[node]) ++steps;
    return steps;
  }
  bool leaf(std::uint32_t node, const std::vector<std::uint32_t>& parents) const {
    return node != root && parents[node] != nobody && std::count(parents.begin(), parents.end(), node) == 0;
  }
  template <class Wanted>
  std::uint32_t find(const Wanted& wanted) const {
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
      if (wanted(node)) return node;
    }
    FAIL("no such node");
    return 0;
  }

  tests::TestEnvironment test;
  EdgeList list{generate::Graph500Edges(10), std::uint64_t{4} << 10};
  std::vector<std::vector<std::uint32_t>> neighbours;
  std::uint32_t root = 0;
  std::vector<std::uint32_t> tree;
  std::vector<std::uint32_t> shortest;
  std::vector<double> distances;
};

TEST_CASE("graph500 validation: right results pass and are counted") {
  Results right(GENERATE(1u, 3u));
  const Verdict levels = right.levels_verdict();
  CHECK(levels.violated_rule == 0);
  CHECK(levels.message.empty());
  std::uint64_t reached = 0;
  std::uint64_t ends = 0;
  std::uint64_t deepest = 0;
  for (std::uint32_t node = 0; node < right.tree.size(); ++node) {
    if (right.tree[node] == nobody) continue;
    ++reached;
    ends += right.neighbours[node].size();
    deepest = std::max(deepest, right.level(node));
  }
  CHECK(levels.reached == reached);
  CHECK(levels.edges == ends / 2);
  CHECK(levels.levels == deepest + 1);
  const Verdict distances = right.distances_verdict();
  CHECK(distances.violated_rule == 0);
  CHECK(distances.edges == levels.edges);
  CHECK(distances.loops == levels.loops);
  CHECK(distances.reached == reached);
}

TEST_CASE("graph500 validation: rule 1, a tree with the root and without cycles") {
  Results damaged(GENERATE(1u, 3u));
  const std::uint32_t deep =
      damaged.find([&](auto v) { return damaged.tree[v] != nobody && damaged.level(v) >= 3; });
  SECTION("a cycle") {
    damaged.tree[damaged.tree[deep]] = deep;
  }
  SECTION("a second root") {
    damaged.tree[deep] = deep;
  }
  SECTION("the root has a parent") {
    damaged.tree[damaged.root] = damaged.neighbours[damaged.root][0];
  }
  SECTION("no such parent") {
    damaged.tree[deep] = 1u << 10;
  }
  SECTION("a parent outside the tree") {
    damaged.tree[deep] = damaged.find([&](auto v) { return damaged.tree[v] == nobody; });
  }
  const Verdict verdict = damaged.levels_verdict();
  CHECK(verdict.violated_rule == 1);
  CHECK_THAT(verdict.message, Catch::StartsWith("rule 1: "));
}

TEST_CASE("graph500 validation: rule 1, distances fit the tree") {
  Results damaged(1);
  const std::uint32_t leaf = damaged.find([&](auto v) { return damaged.leaf(v, damaged.shortest); });
  SECTION("negative") {
    damaged.distances[leaf] = -1;
  }
  SECTION("not a number") {
    damaged.distances[leaf] = std::numeric_limits<double>::quiet_NaN();
  }
  SECTION("infinite") {
    damaged.distances[leaf] = std::numeric_limits<double>::infinity();
  }
  SECTION("no parent") {
    damaged.shortest[leaf] = nobody;
  }
  SECTION("of the root") {
    damaged.distances[damaged.root] = 0.5;
  }
  CHECK(damaged.distances_verdict().violated_rule == 1);
}

TEST_CASE("graph500 validation: rule 2, tree edges bound distances by their weights") {
  Results damaged(GENERATE(1u, 3u));
  // A leaf with one neighbour: no other edge tells.
  const std::uint32_t leaf = damaged.find(
      [&](auto v) { return damaged.leaf(v, damaged.shortest) && damaged.neighbours[v].size() == 1; });
  damaged.distances[leaf] += 1e-9;
  CHECK(damaged.distances_verdict().violated_rule == 2);
}

TEST_CASE("graph500 validation: rule 3, edges join neighbouring levels and near distances") {
  Results damaged(GENERATE(1u, 3u));
  SECTION("levels") {
    // A leaf that hangs from a node of its own level has its old parent two levels above.
    const std::uint32_t leaf = damaged.find([&](auto v) { return damaged.leaf(v, damaged.tree); });
    damaged.tree[leaf] = damaged.find([&](auto v) {
      return v != leaf && damaged.tree[v] != nobody && damaged.level(v) == damaged.level(leaf);
    });
    const Verdict verdict = damaged.levels_verdict();
    CHECK(verdict.violated_rule == 3);
    CHECK_THAT(verdict.message, Catch::Contains("joins levels"));
  }
  SECTION("distances") {
    // The tree is consistent, with the distances of a search that missed an edge: all are too large by 5.
    const std::uint32_t leaf = damaged.find(
        [&](auto v) { return damaged.leaf(v, damaged.shortest) && damaged.neighbours[v].size() > 3; });
    damaged.distances[leaf] += 5;
    const auto other = damaged.find([&](auto v) {
      return v != leaf && damaged.shortest[v] != nobody &&
             std::count(damaged.neighbours[leaf].begin(), damaged.neighbours[leaf].end(), v) == 0;
    });
    damaged.shortest[leaf] = other;
    CHECK(damaged.distances_verdict().violated_rule == 3);
  }
}

TEST_CASE("graph500 validation: rule 4, the tree spans the component") {
  Results damaged(GENERATE(1u, 3u));
  const std::uint32_t leaf = damaged.find(
      [&](auto v) { return damaged.leaf(v, damaged.tree) && damaged.leaf(v, damaged.shortest); });
  damaged.tree[leaf] = damaged.shortest[leaf] = nobody;
  damaged.distances[leaf] = std::numeric_limits<double>::infinity();
  CHECK(damaged.levels_verdict().violated_rule == 4);
  CHECK(damaged.distances_verdict().violated_rule == 4);
}

TEST_CASE("graph500 validation: rule 5, parent and child are joined by an edge of the list") {
  Results damaged(GENERATE(1u, 3u));
  SECTION("levels") {
    const std::uint32_t leaf = damaged.find([&](auto v) { return damaged.leaf(v, damaged.tree); });
    const auto& own = damaged.neighbours[leaf];
    damaged.tree[leaf] = damaged.find([&](auto v) {
      return damaged.tree[v] != nobody && damaged.level(v) + 1 == damaged.level(leaf) &&
             std::count(own.begin(), own.end(), v) == 0;
    });
    CHECK(damaged.levels_verdict().violated_rule == 5);
  }
  SECTION("distances") {
    const std::uint32_t leaf = damaged.find(
        [&](auto v) { return damaged.leaf(v, damaged.shortest) && damaged.neighbours[v].size() == 1; });
    damaged.distances[leaf] -= 1e-9;  // nearer than the edge's weight allows it to be
    CHECK(damaged.distances_verdict().violated_rule == 5);
  }
}

}  // namespace
}  // namespace emgraph::graph::graph500
