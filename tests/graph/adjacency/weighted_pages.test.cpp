// SPDX-License-Identifier: MIT
// Adjacencies with weights: every type, width and rule, against lists by their definition.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "core/base/error.hpp"
#include "tests/graph/adjacency/weighted_oracle.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::weighted {
namespace {

using core::KiB;
using core::MiB;
using graph::Weighting;
using graph::WeightRule;
using graph::WeightType;
using graph::adjacency::build_pages;
using graph::adjacency::PagedAdjacency;

/// Graphs whose lists span pages, besides the zoo.
std::vector<ZooGraph> graphs() {
  std::vector<ZooGraph> all = graph_zoo();
  EdgeList hubs;
  for (std::uint64_t i = 0; i < 30000; ++i)
    hubs.push_back({i % 3 == 0 ? 700U : i % 3 == 1 ? 701U : 20000U, i});
  all.push_back({"three hubs", 30000, hubs});
  EdgeList parallel;
  for (std::uint64_t i = 0; i < 9000; ++i) parallel.push_back({i % 17, i % 19});
  all.push_back({"parallel edges and loops", 20, parallel});
  EdgeList sparse;
  for (std::uint64_t i = 0; i < 2000; ++i) sparse.push_back({i * 2000003, i * 1999});
  all.push_back({"sparse ids", std::uint64_t{1} << 32, sparse});
  return all;
}

template <class Id>
void check_pages(PagedAdjacency<Id>& adjacency, const WeightedLists& right, unsigned threads) {
  const WeightType type = adjacency.facts().weight;
  std::size_t entries = 0;
  graph::WeightRanks ranks{~std::uint64_t{0}, 0};
  for (const auto& [node, list] : right) {
    for (const auto& [neighbour, weight] : list) {
      ++entries;
      ranks.least = std::min(ranks.least, graph::rank_of_weight(type, weight));
      ranks.largest = std::max(ranks.largest, graph::rank_of_weight(type, weight));
    }
  }
  CHECK(adjacency.facts().entries == entries);
  if (entries > 0) CHECK(adjacency.facts().weights == ranks);
  CHECK((scanned_weights(adjacency, 1) == right));
  CHECK((scanned_weights(adjacency, threads) == right));
  std::mt19937_64 random(entries);
  for (const unsigned share : {1, 4, 100}) {
    std::vector<Id> wanted;
    WeightedLists expected;
    for (const auto& [node, list] : right) {
      if (random() % share != 0) continue;
      wanted.push_back(static_cast<Id>(node));
      expected[node] = list;
    }
    CHECK((selected_weights(adjacency, wanted) == expected));
    Lists ends;
    for (const auto& [node, list] : expected) {
      for (const auto& [neighbour, weight] : list) ends[node].push_back(neighbour);
    }
    CHECK((selected(adjacency, wanted) == ends));
  }
}

template <class Id, std::size_t Bytes>
void check_graph(Sample& sample, const ZooGraph& graph, WeightType type, const Weighting& weighting,
                 bool directed, std::size_t resident_bytes, unsigned threads) {
  if (!sample.takes(threads)) return;
  CAPTURE(graph.name, sizeof(Id), static_cast<int>(type), static_cast<int>(weighting.rule), directed,
          threads);
  TestEnvironment test{.memory_bytes = 4 * MiB, .disks = 2, .threads = threads};
  const std::vector<WeightedEdge> edges = with_weights(graph.edges, type, 7);
  const WeightedLists right = weighted_lists(edges, type, weighting, directed);
  {
    auto source = weighted_source<Id, Bytes>(edges, facts_with(graph.nodes), type);
    const auto built =
        build_pages(test.environment, source,
                    {.directed = directed, .resident_bytes = resident_bytes, .weighting = weighting});
    CHECK(built.edges == edges.size());
    CHECK(built.adjacency->facts().weight == weighting.type(type));
    built.adjacency->open_cache(64 * KiB);
    check_pages(*built.adjacency, right, threads);
    built.adjacency->close_cache();
    CHECK((scanned(*built.adjacency, 1, 64 * MiB) == neighbour_lists(graph.edges, directed)));
    check_pages(*built.adjacency, right, threads);
  }
  CHECK(test.memory.used() == 0);
}

TEST_CASE("weighted pages: every list of every graph, by every rule") {
  Sample sample(3);
  for (const ZooGraph& graph : graphs()) {
    const Weighting hash{.rule = WeightRule::hash};
    const Weighting small_hash{.rule = WeightRule::hash, .modulus = 70000};
    const Weighting unit{.rule = WeightRule::unit};
    check_graph<std::uint32_t, 4>(sample, graph, WeightType::u32, {}, false, 0, 1);
    check_graph<std::uint64_t, 8>(sample, graph, WeightType::i64, {}, true, 64 * KiB, 2);
    check_graph<std::uint64_t, 4>(sample, graph, WeightType::f32, {}, false, 2 * MiB, 2);
    check_graph<std::uint32_t, 8>(sample, graph, WeightType::f64, {}, false, 0, 2);
    check_graph<std::uint32_t, 4>(sample, graph, WeightType::u32, small_hash, false, 0, 2);
    check_graph<std::uint64_t, 8>(sample, graph, WeightType::f64, hash, true, 0, 1);
    check_graph<std::uint32_t, 8>(sample, graph, WeightType::f64, unit, false, 0, 1);
  }
}

/// A list of `degree` neighbours, with weights of which the largest needs `width` bytes.
std::vector<WeightedEdge> list_of_width(std::uint64_t node, std::uint64_t degree, unsigned width) {
  std::mt19937_64 random(node);
  std::vector<WeightedEdge> edges;
  for (std::uint64_t i = 0; i < degree; ++i) {
    const std::uint64_t most = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * width);
    edges.push_back({node, 1000 + i * (1 + node), i == degree / 2 ? most : random() & most});
  }
  return edges;
}

TEST_CASE("weighted pages: weights of every width, in lists of every length") {
  for (const std::uint64_t degree : {1, 3, 4, 14, 15, 255, 256, 257, 3000}) {
    std::vector<WeightedEdge> edges;
    for (unsigned width = 0; width <= 8; ++width) {
      for (std::uint64_t copy = 0; copy < sized(7U, 2U); ++copy) {
        const auto list = list_of_width(width * 10 + copy, degree, width);
        edges.insert(edges.end(), list.begin(), list.end());
      }
    }
    const WeightedLists right = weighted_lists(edges, WeightType::i64, {}, true);
    TestEnvironment test{.memory_bytes = 16 * MiB};
    const auto check = [&]<class Id>(Id) {
      CAPTURE(degree, sizeof(Id));
      auto source = weighted_source<Id, 8>(edges, facts_with(std::nullopt), WeightType::i64);
      const auto built = build_pages(test.environment, source, {.directed = true, .weighting = Weighting()});
      built.adjacency->open_cache(MiB);
      check_pages(*built.adjacency, right, 2);
    };
    check(std::uint32_t{});
    check(std::uint64_t{});
  }
}

TEST_CASE("weighted pages: no more bytes than the weights need") {
  if (only_races) return;  // one thread
  const EdgeList edges = random_edges(5000, 60000, 8);
  const auto pages_for = [&](std::uint64_t factor) {
    TestEnvironment test{.memory_bytes = 8 * MiB};
    std::vector<WeightedEdge> weighted;
    for (const graph::Edge64& edge : edges) weighted.push_back({edge.source, edge.target, factor});
    auto source = weighted_source<std::uint32_t, 8>(weighted, facts_with(5000), WeightType::i64);
    const auto built = build_pages(test.environment, source, {.weighting = Weighting()});
    return built.adjacency->pages() * 4096;
  };
  const std::uint64_t none = pages_for(0);
  for (unsigned width = 1; width <= 8; ++width) {
    const std::uint64_t more = pages_for(~std::uint64_t{0} >> (64 - 8 * width)) - none;
    CHECK(more >= width * 118000);
    CHECK(more <= width * 135000);
  }
}

TEST_CASE("weighted pages: sorted input is not sorted again, the lightest of its parallel edges counts") {
  std::vector<WeightedEdge> edges = with_weights(random_edges(100, 9000, 9), WeightType::f32, 9);
  std::stable_sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  for (const Weighting& weighting : {Weighting(), Weighting{.rule = WeightRule::hash}}) {
    TestEnvironment test{.memory_bytes = 4 * MiB};
    auto source = weighted_source<std::uint32_t, 4>(edges, facts_with(100, graph::EdgeOrder::source_target),
                                                    WeightType::f32);
    const auto built = build_pages(test.environment, source,
                                   {.directed = true, .resident_bytes = MiB, .weighting = weighting});
    const WeightedLists right = weighted_lists(edges, WeightType::f32, weighting, true);
    CHECK((scanned_weights(*built.adjacency, 1) == right));
    CHECK(test.statistics.snapshot().write_bytes == 0);
  }
}

TEST_CASE("weighted pages: two directions of a symmetric source may have different weights") {
  std::vector<WeightedEdge> edges;
  for (std::uint64_t a = 0; a < 40; ++a) {
    for (std::uint64_t b = 0; b < 40; ++b) edges.push_back({a, b, (a * 7919 + b * 104729) % 1000});
  }
  graph::EdgeFacts facts = facts_with(40, graph::EdgeOrder::source_target);
  facts.symmetric = true;
  for (const Weighting& weighting : {Weighting(), Weighting{.rule = WeightRule::hash}}) {
    TestEnvironment test{.memory_bytes = 4 * MiB};
    auto source = weighted_source<std::uint32_t, 4>(edges, facts, WeightType::u32);
    const auto built = build_pages(test.environment, source, {.resident_bytes = MiB, .weighting = weighting});
    const WeightedLists right = weighted_lists(edges, WeightType::u32, weighting, false);
    CHECK((scanned_weights(*built.adjacency, 1) == right));
  }
}

TEST_CASE("weighted pages: NaN and weights beyond the limits are refused, loops count nowhere") {
  const auto attempt = [](WeightType type, std::vector<WeightedEdge> edges, const graph::WeightLimits& limits,
                          bool sorted) {
    for (std::uint64_t i = 1000; i < 2000; ++i) edges.push_back({i, i + 1, 0});
    TestEnvironment test{.memory_bytes = 4 * MiB};
    const auto order = sorted ? graph::EdgeOrder::source_target : graph::EdgeOrder::none;
    auto source = weighted_source<std::uint32_t, 8>(edges, facts_with(std::nullopt, order), type);
    try {
      build_pages(test.environment, source, {.directed = true, .weighting = Weighting(), .limits = limits});
    } catch (const core::DataError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto not_negative = [](WeightType type, std::uint64_t bits) {
    return graph::rank_of_weight(type, bits) >= graph::rank_of_weight(type, 0);
  };
  const graph::WeightLimits limits{.valid = not_negative, .expected = "0 or more"};
  const std::uint64_t minus_5 = bits_of_weight(std::int64_t{-5});
  const std::uint64_t nan = bits_of_weight(std::numeric_limits<double>::quiet_NaN());
  const std::uint64_t infinite = bits_of_weight(-std::numeric_limits<double>::infinity());
  for (const bool sorted : {false, true}) {
    CHECK(attempt(WeightType::i64, {{1, 2, 3}, {3, 4, minus_5}}, {}, sorted).empty());
    CHECK(attempt(WeightType::i64, {{1, 2, 3}, {3, 4, minus_5}}, limits, sorted) ==
          "edges.test: edge 1 (3, 4): weight -5 found, expected 0 or more");
    CHECK(attempt(WeightType::i64, {{1, 2, 3}, {3, 3, minus_5}}, limits, sorted).empty());
    CHECK(attempt(WeightType::f64, {{1, 2, nan}}, {}, sorted) ==
          "edges.test: edge 0 (1, 2): weight NaN found, expected a number");
    CHECK(attempt(WeightType::f64, {{1, 2, 0}, {2, 3, nan | std::uint64_t{1} << 63}}, limits, sorted) ==
          "edges.test: edge 1 (2, 3): weight NaN found, expected 0 or more");
    CHECK(attempt(WeightType::f64, {{1, 2, infinite}}, {}, sorted).empty());
    CHECK(attempt(WeightType::f64, {{1, 2, infinite}}, limits, sorted) ==
          "edges.test: edge 0 (1, 2): weight -inf found, expected 0 or more");
    CHECK(attempt(WeightType::f64, {{2, 2, nan}, {5, 6, bits_of_weight(-0.0)}}, limits, sorted).empty());
  }
}

TEST_CASE("weighted pages: weights are asked for where there are some") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  VectorSource<graph::Record<std::uint32_t, 0>> source({{1, 2}, {3, 9}}, {.facts = facts_with(10)});
  CHECK_THROWS_AS(build_pages(test.environment, source, {.weighting = Weighting()}), std::logic_error);
  const auto built =
      build_pages(test.environment, source, {.weighting = Weighting{.rule = WeightRule::unit}});
  CHECK((scanned_weights(*built.adjacency, 1)[3] == WeightedList{{9, 1}}));
}

}  // namespace
}  // namespace emgraph::tests::weighted
