// SPDX-License-Identifier: MIT
// The filter of edges: one definition on every instruction set, whatever the sizes, ids and bits.
#include "graph/mis/edge_filter.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/support/vector_targets.hpp"

namespace emgraph::tests::mis {
namespace {

using namespace graph;
using graph::mis::FilteredEdges;
using graph::mis::SmallerEnds;

/// The definition, edge by edge.
template <class R>
std::vector<Edge<typename R::id_type>> filtered(const std::vector<R>& edges,
                                                SmallerEnds<typename R::id_type> range,
                                                const NodeBits& excluded) {
  std::vector<Edge<typename R::id_type>> kept;
  for (const R& edge : edges) {
    const auto low = std::min(edge.source, edge.target);
    const auto high = std::max(edge.source, edge.target);
    if (low == high || low < range.first || low - range.first > range.width) continue;
    if (!excluded.test(low) && !excluded.test(high)) kept.push_back({low, high});
  }
  return kept;
}

/// A share of the bits of nodes that edges can have.
NodeBits some_bits(core::MemoryBudget& budget, std::uint64_t nodes, const std::vector<std::uint64_t>& ends,
                   unsigned percent, std::mt19937_64& random) {
  NodeBits bits(budget, nodes, "bits of a test");
  for (const std::uint64_t end : ends) {
    if (random() % 100 < percent) bits.set(end);
  }
  return bits;
}

template <class R>
void check_filter(std::uint64_t nodes, std::size_t count, unsigned percent) {
  using Id = typename R::id_type;
  std::mt19937_64 random(nodes + count + percent);
  core::MemoryBudget budget(64 * core::MiB);
  std::vector<R> edges(count);
  std::vector<std::uint64_t> ends;
  for (R& edge : edges) {
    edge.source = static_cast<Id>(random() % nodes);
    edge.target = random() % 8 == 0 ? edge.source : static_cast<Id>(random() % nodes);
    ends.push_back(edge.source);
    ends.push_back(edge.target);
  }
  const NodeBits excluded = some_bits(budget, nodes, ends, percent, random);
  const NodeBits none(budget, nodes, "bits of a test");
  const auto last = static_cast<Id>(nodes - 1);
  for (const SmallerEnds<Id> range : {SmallerEnds<Id>{0, last}, SmallerEnds<Id>{0, last / 3},
                                      SmallerEnds<Id>{last / 3, last / 2}, SmallerEnds<Id>{last, 0}}) {
    FilteredEdges<Id> kept;
    const std::size_t found = graph::mis::filter_edges(edges, range, &excluded, kept);
    CAPTURE(nodes, count, percent, range.first, range.width);
    REQUIRE((std::vector<Edge<Id>>(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(found)) ==
             filtered(edges, range, excluded)));
    const std::size_t all = graph::mis::filter_edges(edges, range, nullptr, kept);
    REQUIRE((std::vector<Edge<Id>>(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(all)) ==
             filtered(edges, range, none)));
  }
}

TEST_CASE("edge filter: the definition on every instruction set") {
  for_every_target([] {
    for (const std::uint64_t nodes : {1u, 2u, 64u, 65u, 5'000u, 0x7ff'ffffu}) {
      for (const std::size_t count : {0u, 1u, 3u, 8u, 17u, 1000u, 1023u, 1024u}) {
        if (nodes > 5'000 && count < 1000) continue;
        for (const unsigned percent : {0u, 50u, 100u}) {
          if (nodes > 5'000 && percent != 50) continue;
          check_filter<graph::Edge32>(nodes, count, percent);
          check_filter<graph::Edge64>(nodes, count, percent);
        }
      }
    }
  });
}

TEST_CASE("edge filter: ids up to 2^32 - 1 and beyond") {
  for_every_target([] {
    core::MemoryBudget budget(2 * core::GiB);
    constexpr std::uint64_t nodes = std::uint64_t{1} << 32;
    NodeBits excluded(budget, nodes, "bits of a test");
    excluded.set(nodes - 1);
    excluded.set(std::uint64_t{1} << 31);
    const std::vector<graph::Edge32> edges = {
        {0xffff'ffff, 0xffff'fffe}, {0xffff'fffd, 0xffff'fffe}, {0x8000'0000, 0}, {0x8000'0001, 0x7fff'ffff},
        {0, 0xffff'fffd},           {0xffff'fffe, 0},           {5, 5},           {0xffff'ffff, 0xffff'ffff}};
    const SmallerEnds<std::uint32_t> all{0, 0xffff'ffff};
    FilteredEdges<std::uint32_t> kept;
    const std::size_t found = graph::mis::filter_edges(edges, all, &excluded, kept);
    REQUIRE((std::vector<Edge32>(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(found)) ==
             filtered(edges, all, excluded)));

    const std::vector<graph::Edge64> wide = {{nodes, 5},     {nodes + 64, nodes}, {nodes + 1, nodes},
                                             {7, nodes + 1}, {nodes - 1, 3},      {nodes, nodes}};
    NodeBits more(budget, nodes + 100, "bits of a test");
    more.set(nodes + 64);
    more.set(nodes - 1);
    FilteredEdges<std::uint64_t> kept_wide;
    for (const SmallerEnds<std::uint64_t> range : {SmallerEnds<std::uint64_t>{0, nodes + 99}, {nodes, 1}}) {
      const std::size_t left = graph::mis::filter_edges(wide, range, &more, kept_wide);
      REQUIRE(
          (std::vector<Edge64>(kept_wide.begin(), kept_wide.begin() + static_cast<std::ptrdiff_t>(left)) ==
           filtered(wide, range, more)));
    }
  });
}

TEST_CASE("keys of a bucket: those with an excluded end are dropped, in the order of the others") {
  core::MemoryBudget budget(core::MiB);
  std::mt19937_64 random(3);
  constexpr std::uint64_t nodes = 1000;
  const graph::prepare::EdgeKeys<std::uint64_t> edge_keys{graph::prepare::bits_for_nodes(nodes)};
  for (const unsigned percent : {0U, 50U, 100U}) {
    for (const std::size_t count : {0, 1, 15, 500}) {
      CAPTURE(percent, count);
      std::vector<graph::Edge64> edges(count);
      std::vector<std::uint64_t> ends;
      std::vector<std::uint64_t> keys;
      for (graph::Edge64& edge : edges) {
        edge.source = random() % (nodes - 1);
        edge.target = edge.source + 1 + random() % (nodes - 1 - edge.source);
        ends.insert(ends.end(), {edge.source, edge.target});
        keys.push_back(edge_keys.make(edge.source, edge.target));
      }
      const NodeBits excluded = some_bits(budget, nodes, ends, percent, random);
      keys.resize(graph::mis::keep_undecided(keys, edge_keys, excluded));
      std::vector<std::uint64_t> expected;
      for (const graph::Edge64& edge : filtered(edges, SmallerEnds<std::uint64_t>{0, nodes}, excluded)) {
        expected.push_back(edge_keys.make(edge.source, edge.target));
      }
      CHECK(keys == expected);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::mis
