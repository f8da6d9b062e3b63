// SPDX-License-Identifier: MIT
// Uniform random edges: one formula on every instruction set, uniform and independent ends.
#include "graph/generate/random.hpp"

#include <stdexcept>

#include "graph/generate/counter_hash.hpp"
#include "graph/generate/random_kernel.hpp"
#include "tests/graph/generate/checks.hpp"
#include "tests/support/vector_targets.hpp"

namespace emgraph::graph::generate {
namespace {

TEST_CASE("random: every instruction set gives the reference's edges") {
  const std::uint64_t nodes = GENERATE(as<std::uint64_t>{}, 1u, 2u, 1000u, 20'971'520u, 0xffffffffu);
  const std::uint64_t seed = 7;
  const RandomModel model(nodes, std::uint64_t{1} << 40, seed);
  const std::uint64_t first = GENERATE(as<std::uint64_t>{}, 0u, 5u, (std::uint64_t{1} << 33) + 1);
  const std::uint64_t key = stream_key(seed, Purpose::random_edge);
  std::vector<Edge32> expected;
  for (std::uint64_t i = first; i < first + 1037; ++i) {
    const std::uint64_t word = core::mix_word(key + i * golden_increment);
    expected.push_back({static_cast<std::uint32_t>(((word & 0xffffffffu) * nodes) >> 32),
                        static_cast<std::uint32_t>(((word >> 32) * nodes) >> 32)});
  }
  tests::for_every_target(
      [&] { REQUIRE((edges_of<std::uint32_t>(model, first, expected.size()) == expected)); });
}

TEST_CASE("words: every instruction set gives those of the counter, from anywhere and in any number") {
  const std::uint64_t key = stream_key(7, Purpose::payload);
  tests::for_every_target([&] {
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{5}, ~std::uint64_t{0} - 20}) {
      for (const std::size_t count : {0U, 1U, 7U, 8U, 61U}) {
        CAPTURE(first, count);
        std::vector<std::uint64_t> words(count + 1, 3);
        fill_words(key, first, words.data(), count);
        std::size_t wrong = words[count] != 3;
        for (std::size_t i = 0; i < count; ++i) wrong += words[i] != counter_word(key, first + i);
        CHECK(wrong == 0);
      }
    }
  });
}

TEST_CASE("random: ranges and id widths do not show") {
  const std::uint64_t nodes = GENERATE(as<std::uint64_t>{}, 1u, 12'345u, 0xffffffffu, std::uint64_t{1} << 32);
  check_ranges_and_widths(RandomModel(nodes, 100'000, 3), 17, 10'007);
}

TEST_CASE("random: ends are uniform and independent") {
  const std::uint64_t nodes = GENERATE(as<std::uint64_t>{}, 64u, 48u);
  const std::uint64_t seed = GENERATE(as<std::uint64_t>{}, 1u, 2u, 12'345'678'901u);
  const auto edges = all_edges<std::uint32_t>(RandomModel(nodes, 1'000'000, seed));
  std::vector<std::uint64_t> pairs(nodes * nodes);
  std::vector<std::uint64_t> successive(nodes * nodes);
  std::vector<std::uint64_t> crossed(nodes * nodes);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    ++pairs[edges[i].source * nodes + edges[i].target];
    ++successive[edges[i].source * nodes + edges[i + 1].source];
    ++crossed[edges[i].target * nodes + edges[i + 1].source];
  }
  REQUIRE(std::abs(uniform_deviation(pairs)) < 5);
  REQUIRE(std::abs(uniform_deviation(successive)) < 5);
  REQUIRE(std::abs(uniform_deviation(crossed)) < 5);
}

TEST_CASE("random: more nodes than 2^32 are used evenly, low bits too") {
  const std::uint64_t nodes = (std::uint64_t{1} << 40) + 12'345;
  const auto edges = all_edges<std::uint64_t>(RandomModel(nodes, 200'000, 1));
  std::vector<std::uint64_t> high(64 * 64);
  std::vector<std::uint64_t> low(64 * 64);
  for (const auto& edge : edges) {
    REQUIRE((edge.source < nodes && edge.target < nodes));
    ++high[std::min<std::uint64_t>(edge.source >> 34, 63) * 64 +
           std::min<std::uint64_t>(edge.target >> 34, 63)];
    ++low[edge.source % 64 * 64 + edge.target % 64];
  }
  REQUIRE(std::abs(uniform_deviation(high)) < 5);
  REQUIRE(std::abs(uniform_deviation(low)) < 5);
}

TEST_CASE("random: seeds give different graphs") {
  const auto one = all_edges<std::uint32_t>(RandomModel(1'000'000, 1000, 1));
  const auto two = all_edges<std::uint32_t>(RandomModel(1'000'000, 1000, 2));
  std::size_t same = 0;
  for (std::size_t i = 0; i < one.size(); ++i) same += one[i] == two[i];
  REQUIRE(same == 0);
}

TEST_CASE("random: what cannot be is refused") {
  REQUIRE_THROWS_AS(RandomModel(0, 1, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(RandomModel(~std::uint64_t{0}, 1, 1), std::invalid_argument);
  REQUIRE_NOTHROW(RandomModel(0, 0, 1));
  const RandomModel model((std::uint64_t{1} << 32) + 1, 10, 1);
  REQUIRE_THROWS_AS(edges_of<std::uint32_t>(model, 0, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(edges_of<std::uint64_t>(model, 10, 1), std::out_of_range);
  REQUIRE_THROWS_AS(edges_of<std::uint64_t>(model, 11, 0), std::out_of_range);
  REQUIRE_NOTHROW(edges_of<std::uint64_t>(model, 10, 0));
}

TEST_CASE("random: the graph of a seed is pinned") {
  REQUIRE(fingerprint(all_edges<std::uint32_t>(RandomModel(20'971'520, 10'000, 1))) == 3079119650858732204u);
  REQUIRE(fingerprint(all_edges<std::uint64_t>(RandomModel(std::uint64_t{1} << 40, 10'000, 1))) ==
          15458331235051179822u);
}

}  // namespace
}  // namespace emgraph::graph::generate
