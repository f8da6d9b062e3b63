// SPDX-License-Identifier: MIT
// The external search: its bucket, its filter of candidates, and graphs whose buckets do not fit.
#include "graph/sssp/external.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "graph/sssp/candidate_bounds.hpp"
#include "graph/sssp/distance_tags.hpp"
#include "graph/sssp/external_bucket.hpp"
#include "tests/graph/sssp/solve.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::sssp {
namespace {

using graph::sssp::FloatDistances;
using graph::sssp::IntegerDistances;

TEST_CASE("sssp external: a bucket keeps the least distance of each node", "[sssp]") {
  TestEnvironment tiny{.memory_bytes = 4 * core::MiB};
  graph::sssp::ExternalBucket<std::uint32_t> bucket(tiny.memory, 1);
  std::mt19937_64 random(1);
  std::map<std::uint32_t, std::uint64_t> known;
  std::size_t returned = 0;
  for (unsigned round = 0; round < 20; ++round) {
    std::map<std::uint32_t, std::uint64_t> changed;
    while (!bucket.full()) {
      const auto node = static_cast<std::uint32_t>(random() % 2000);
      const std::uint64_t distance = 100 + random() % 1000;
      bucket.collect({distance, node});
      if (node % 7 == 0) continue;  // not wanted
      const auto [at, fresh] = known.emplace(node, distance);
      if (!fresh && at->second <= distance) continue;
      at->second = changed[node] = distance;
    }
    bucket.merge([](std::uint32_t node) { return node % 7 != 0; });
    if (round == 5) {
      const std::size_t before = bucket.capacity();
      bucket.grow(tiny.memory, 64 * core::KiB);
      CHECK(bucket.capacity() > before);
    }
    std::size_t wrong = 0;
    while (bucket.size() > bucket.capacity()) {
      const std::uint64_t end = bucket.cut_distance();
      bucket.cut(end, [&](const graph::sssp::Candidate<std::uint32_t>& candidate) {
        wrong += candidate.distance < end || known.at(candidate.node) != candidate.distance;
        known.erase(candidate.node);
        changed.erase(candidate.node);
        ++returned;
      });
    }
    const std::span<const std::uint32_t> pending = bucket.pending();
    REQUIRE(pending.size() == changed.size());
    std::size_t i = 0;
    for (const auto& [node, distance] : changed) wrong += pending[i++] != node;
    REQUIRE(bucket.size() == known.size());
    for (const auto& entry : bucket.entries()) {
      wrong += entry.distance != known.at(entry.node) || entry.pending != changed.contains(entry.node);
    }
    CHECK(wrong == 0);
    bucket.clear_pending();
    CHECK(bucket.pending().empty());
  }
  CHECK(returned > 0);
}

template <class Distances, class Word>
void check_bounds(const std::vector<Word>& words) {
  TestEnvironment tiny{.memory_bytes = 4 * core::MiB};
  for (const std::uint64_t first : words) {
    for (const std::uint64_t second : words) {
      CAPTURE(first, second);
      graph::sssp::CandidateBounds<Distances> bounds(tiny.memory, 1);
      REQUIRE(bounds.push(0, first));
      CHECK(bounds.nearest(0, first));
      if (second < first) {
        CHECK(bounds.nearest(0, second));
        CHECK(bounds.push(0, second));
      }
    }
  }
}

TEST_CASE("sssp external: a nearer candidate always passes the filter", "[sssp]") {
  std::vector<std::uint64_t> integers{0, 1, 2};
  for (const unsigned bit : {20U, 21U, 22U, 52U, 53U, 54U, 63U}) {
    for (std::uint64_t near = 0; near < 3; ++near) {
      integers.push_back((std::uint64_t{1} << bit) - 1 + near);
    }
  }
  integers.push_back(~std::uint64_t{0} - 1);
  check_bounds<IntegerDistances>(integers);
  std::vector<std::uint64_t> doubles;
  for (const double value : {0.0, 5e-324, 1e-300, 0.1, 1.0, 1.0 + 1e-15, 1.0 + 1e-6, 3.0, 1e300}) {
    doubles.push_back(std::bit_cast<std::uint64_t>(value));
  }
  check_bounds<FloatDistances>(doubles);
  TestEnvironment tiny{.memory_bytes = 4 * core::MiB};
  graph::sssp::CandidateBounds<IntegerDistances> exact(tiny.memory, 1);
  CHECK(exact.push(0, 1000));
  CHECK_FALSE(exact.push(0, 1000));
}

// A node that had the candidate `first`, when the bucket at `begin` starts.
template <class Distances>
void check_cells(std::uint64_t longest, const std::vector<std::uint64_t>& words) {
  TestEnvironment tiny{.memory_bytes = 4 * core::MiB};
  for (const std::uint64_t begin : words) {
    for (const std::uint64_t first : words) {
      for (const std::uint64_t second : words) {
        if (begin > first) continue;
        CAPTURE(longest, begin, first, second);
        graph::sssp::CandidateCells<Distances> cells(tiny.memory, 1, longest);
        cells.advance(words.front());
        REQUIRE(cells.push(0, first));
        cells.advance(begin);
        CHECK(cells.nearest(0, first));
        if (second < begin || second >= first) continue;
        CHECK(cells.nearest(0, second));
        CHECK(cells.push(0, second));
      }
    }
  }
}

TEST_CASE("sssp external: a nearer candidate always passes the filter of a byte a node", "[sssp]") {
  std::vector<std::uint64_t> integers;
  for (std::uint64_t distance = 0; distance < 3000; distance += 1 + distance / 3)
    integers.push_back(distance);
  for (std::uint64_t distance = 253; distance < 258; ++distance) integers.push_back(distance);
  std::ranges::sort(integers);
  for (const std::uint64_t longest : {0U, 1U, 100U, 127U, 128U, 1000U}) {
    check_cells<IntegerDistances>(longest, integers);
  }
  for (const double longest : {5e-324, 1e-300, 1.0, 2.5, 1e300}) {
    std::vector<std::uint64_t> doubles;
    for (const double arcs : {0.0, 1e-9, 0.1, 1.0, 1.0 + 1e-15, 1.01, 1.9, 2.1, 3.0, 3.9, 4.1, 100.0}) {
      doubles.push_back(std::bit_cast<std::uint64_t>(longest * arcs));
    }
    check_cells<FloatDistances>(std::bit_cast<std::uint64_t>(longest), doubles);
  }
  check_cells<FloatDistances>(0, {0});
  TestEnvironment tiny{.memory_bytes = 4 * core::MiB};
  graph::sssp::CandidateCells<IntegerDistances> cells(tiny.memory, 1, 1000);
  cells.advance(0);
  CHECK(cells.push(0, 1000));
  CHECK_FALSE(cells.push(0, 1008));
  CHECK_FALSE(cells.nearest(0, 1008));
  CHECK(cells.push(0, 991));
  cells.advance(900);
  CHECK_FALSE(cells.push(0, 1000));
  CHECK(cells.push(0, 5000));  // too far to have a bound
  CHECK_FALSE(cells.push(0, 1000));
}

TEST_CASE("sssp external: tags of distances pass the right distance, whatever their bits", "[sssp]") {
  TestEnvironment tiny{.memory_bytes = 4 * core::MiB};
  std::vector<std::uint64_t> distances(1000);
  std::mt19937_64 random(3);
  for (auto& distance : distances) distance = random();
  for (const unsigned bits : {0U, 1U, 2U, 4U, 8U}) {
    CAPTURE(bits);
    graph::sssp::DistanceTags tags(tiny.environment, distances.size(),
                                   8 * (distances.size() * bits / 64 + 1) * (bits > 0));
    REQUIRE(tags.bits() == bits);
    tags.append(std::span(distances).first(300));
    tags.append(std::span(distances).subspan(300));
    std::size_t passed = 0;
    std::size_t missed = 0;
    for (std::size_t node = 0; node < distances.size(); ++node) {
      missed += !tags.may_be_at(node, distances[node]);
      passed += tags.may_be_at(node, distances[node] + 1);
    }
    CHECK(missed == 0);
    CHECK(passed <= 2 * (distances.size() >> bits));
  }
}

TEST_CASE("sssp external: buckets of more nodes than fit give the same bits", "[sssp]") {
  if (only_races) return;
  constexpr std::uint64_t nodes = 30000;
  const ZooGraph graph{"random", nodes, random_edges(nodes, 90000, 5)};
  for (const WeightType type : {WeightType::u32, WeightType::f32}) {
    for (const std::uint64_t most : {0U, 1U, 3U, 1000000U}) {
      CAPTURE(type, most);
      const WeightedGraph weighted = with_weights(graph, type, most, 9);
      const graph::sssp::Options options{.model = MemoryModel::external, .roots = {0}};
      const Machine machine{.memory_bytes = 4 * core::MiB, .threads = 1};
      check_searches(solve<std::uint32_t>(weighted, machine, options, Way::known), weighted, false);
    }
  }
}

TEST_CASE("sssp external: parents along a chain and in a graph of arcs of length 0, on disk and in memory",
          "[sssp]") {
  if (only_races) return;
  ZooGraph chain{"chain", 3000, {}};
  for (std::uint64_t i = 0; i + 1 < chain.nodes; ++i) {
    chain.edges.push_back(
        {i * 7 % chain.nodes, (i + 1) * 7 % chain.nodes});  // 3000 and 7 have no common factor
  }
  const std::uint64_t nodes = sized(40000, 20000);
  const ZooGraph random{"random", nodes,
                        random_edges(nodes, sized(240000, 120000), 5)};  // half of them on disk
  for (const ZooGraph& graph : {chain, random}) {
    CAPTURE(graph.name);
    const WeightedGraph weighted{graph, WeightType::f32, std::vector<std::uint64_t>(graph.edges.size())};
    const graph::sssp::Options options{.model = MemoryModel::external, .roots = {0}};
    const Machine machine{.memory_bytes = 4 * core::MiB, .threads = 1};
    check_searches(solve<std::uint32_t>(weighted, machine, options, Way::known), weighted, false);
  }
}

TEST_CASE("sssp external: a byte a node in place of its distance gives the same bits", "[sssp]") {
  if (only_races) return;
  constexpr std::uint64_t nodes = 280000;
  const ZooGraph graph{"random", nodes, random_edges(nodes, sized(1200000, 400000), 5)};
  for (const WeightType type : {WeightType::u32, WeightType::f32}) {
    CAPTURE(type);
    const WeightedGraph weighted = with_weights(graph, type, 1000, 9);
    const graph::sssp::Options options{.model = MemoryModel::external, .roots = {0}};
    const Machine machine{.memory_bytes = 4 * core::MiB, .threads = 1};
    check_searches(solve<std::uint32_t>(weighted, machine, options, Way::known), weighted, false);
  }
}

}  // namespace
}  // namespace emgraph::tests::sssp
