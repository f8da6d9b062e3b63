// SPDX-License-Identifier: MIT
#include "graph/union_find.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"

namespace emgraph::graph {
namespace {

/// Labels by relabelling all of a set at every union: slow on purpose.
std::vector<std::uint32_t> smallest_labels(
    std::size_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  std::vector<std::uint32_t> label(nodes);
  for (std::size_t v = 0; v < nodes; ++v) label[v] = static_cast<std::uint32_t>(v);
  for (const auto& [a, b] : pairs) {
    const std::uint32_t from = std::max(label[a], label[b]);
    const std::uint32_t to = std::min(label[a], label[b]);
    for (std::uint32_t& l : label) {
      if (l == from) l = to;
    }
  }
  return label;
}

}  // namespace

TEST_CASE("union-find: the root is the smallest node, whatever the threads", "[union_find]") {
  core::MemoryBudget budget(1 << 20);
  const unsigned threads = GENERATE(1u, 2u, 4u);
  const std::size_t nodes = GENERATE(std::size_t{2}, std::size_t{100}, std::size_t{2000});
  std::mt19937 random(static_cast<unsigned>(nodes));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(nodes * 3 / 4);
  for (auto& pair : pairs) {
    pair = {static_cast<std::uint32_t>(random() % nodes), static_cast<std::uint32_t>(random() % nodes)};
  }
  UnionFind<std::uint32_t> sets(budget, nodes, "test");
  std::vector<std::size_t> united(threads);
  core::run_on_threads(threads, [&](unsigned thread) {
    for (std::size_t i = thread; i < pairs.size(); i += threads) {
      united[thread] += sets.unite(pairs[i].first, pairs[i].second);
    }
  });
  const std::vector<std::uint32_t> expected = smallest_labels(nodes, pairs);
  std::size_t roots = 0;
  for (std::uint32_t v = 0; v < nodes; ++v) {
    REQUIRE(sets.find(v) == expected[v]);
    roots += sets.is_root(v);
  }
  std::size_t all = 0;
  for (const std::size_t part : united) all += part;
  REQUIRE(all == nodes - roots);
}

TEST_CASE("union-find grows with its nodes, from many threads, as far as memory goes", "[union_find]") {
  constexpr std::uint64_t nodes = 200000;
  core::MemoryBudget budget(nodes * sizeof(std::uint32_t));
  UnionFind<std::uint32_t> sets(budget, 0, 10 * nodes, "test");
  REQUIRE(sets.size() == 0);
  core::run_on_threads(4, [&](unsigned thread) {
    for (std::uint64_t v = thread + 1; v < nodes; v += 4) {
      sets.reach(v + 1);
      sets.unite(static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v % 3));
    }
  });
  REQUIRE(sets.size() == nodes);
  REQUIRE_THROWS_AS(sets.reach(nodes + 1), core::MemoryLimitError);
  core::run_on_threads(4,
                       [&](unsigned thread) { sets.flatten(thread * nodes / 4, (thread + 1) * nodes / 4); });
  std::size_t wrong = 0;
  for (std::uint64_t v = 0; v < nodes; ++v) wrong += sets.steps()[v] != v - v % 3;
  REQUIRE(wrong == 0);
}

TEST_CASE("union-find: what a thread has linked to its root stays so while others flatten", "[union_find]") {
  constexpr std::uint32_t nodes = 40000;
  core::MemoryBudget budget(nodes * sizeof(std::uint32_t));
  UnionFind<std::uint32_t> sets(budget, nodes, "test");
  std::size_t wrong = 0;
  for (int round = 0; round < 60; ++round) {
    // A path: whoever looks for a root comes through the nodes of all threads before.
    for (std::uint32_t v = 1; v < nodes; ++v) sets.steps()[v] = 1;
    core::run_on_threads(
        4, [&](unsigned thread) { sets.flatten(thread * nodes / 4, (thread + 1) * nodes / 4); });
    for (std::uint32_t v = 0; v < nodes; ++v) wrong += sets.steps()[v] != v;
  }
  REQUIRE(wrong == 0);
}

}  // namespace emgraph::graph
