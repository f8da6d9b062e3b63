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

namespace emgraph::tests {
namespace {

using Catch::Contains;
using core::KiB;
using core::MiB;
using graph::Weighting;
using graph::WeightRule;
using graph::WeightType;
using graph::adjacency::build_pages;
using graph::adjacency::PagedAdjacency;

constexpr WeightType all_types[] = {WeightType::u32, WeightType::i64, WeightType::f32, WeightType::f64};

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
void check_graph(const ZooGraph& graph, WeightType type, const Weighting& weighting, bool directed,
                 std::size_t resident_bytes, unsigned threads) {
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
  for (const ZooGraph& graph : graphs()) {
    check_graph<std::uint32_t, 4>(graph, WeightType::u32, {}, false, 0, 1);
    check_graph<std::uint64_t, 8>(graph, WeightType::i64, {}, true, 64 * KiB, 2);
    check_graph<std::uint64_t, 4>(graph, WeightType::f32, {}, false, 2 * MiB, 2);
    check_graph<std::uint32_t, 8>(graph, WeightType::f64, {}, false, 0, 2);
    check_graph<std::uint32_t, 4>(graph, WeightType::u32, {.rule = WeightRule::hash, .modulus = 70000}, false,
                                  0, 2);
    check_graph<std::uint64_t, 8>(graph, WeightType::f64, {.rule = WeightRule::hash}, true, 0, 1);
    check_graph<std::uint32_t, 8>(graph, WeightType::f64, {.rule = WeightRule::unit}, false, 0, 1);
  }
}

}  // namespace
}  // namespace emgraph::tests
