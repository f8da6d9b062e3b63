// SPDX-License-Identifier: MIT
// Kronecker edges: quadrant fractions, the scrambling bijection, one result on every instruction set.
#include "graph/generate/kronecker.hpp"

#include <stdexcept>

#include "tests/graph/generate/checks.hpp"
#include "tests/support/vector_targets.hpp"

namespace emgraph::graph::generate {
namespace {

/// Plain oracle: the quadrant of each level by its place among A, B, D, C; do not benchmark.
KroneckerEdge oracle(const KroneckerModel& model, std::uint64_t index) {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  for (int p = 3; p >= 0; --p) {
    for (int level = p + 4 * ((model.scale() - 1 - p) / 4); level >= p && level < model.scale(); level -= 4) {
      const std::uint64_t key =
          stream_key(model.seed(), Purpose::kronecker_level, static_cast<unsigned>(level / 4));
      const std::uint64_t bits = counter_word(key, index) >> (16 * p) & 0xffff;
      const std::uint64_t draw = bits ^ 0x8000;  // as the signed number's distance from -32768
      source *= 2;
      target *= 2;
      if (draw < 37356) continue;
      if (draw < 37356 + 12452) {
        target += 1;
      } else if (draw < 37356 + 12452 + 3276) {
        source += 1, target += 1;
      } else {
        source += 1;
      }
    }
  }
  return {source, target};
}

TEST_CASE("kron: every instruction set gives the oracle's edges, at every scale") {
  const int scale = GENERATE(range(1, 63));
  const KroneckerModel model(scale, scale < 10 ? 512 : 1, 11);
  const std::size_t count = std::min<std::uint64_t>(model.edges(), 61);
  const std::uint64_t first = model.edges() - count;
  std::vector<Edge64> expected;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const KroneckerEdge edge = oracle(model, i);
    expected.push_back({scramble(model.plan(), edge.source), scramble(model.plan(), edge.target)});
    REQUIRE((unscrambled_kronecker_edge(model.plan(), i) == edge));
    REQUIRE((expected.back().source < model.nodes() && expected.back().target < model.nodes()));
  }
  tests::for_every_target([&] {
    REQUIRE((edges_of<std::uint64_t>(model, first, count) == expected));
    if (scale <= 32) check_ranges_and_widths(model, first, count);
  });
}

TEST_CASE("kron: ranges do not show above 2^32 nodes") {
  const KroneckerModel model(40, 1, 5);
  const auto expected = edges_of<std::uint64_t>(model, 1000, 5000);
  std::vector<Edge64> edges;
  for (std::uint64_t at = 1000; at < 6000; at += 77) {
    const auto piece = edges_of<std::uint64_t>(model, at, std::min<std::uint64_t>(77, 6000 - at));
    edges.insert(edges.end(), piece.begin(), piece.end());
  }
  REQUIRE((edges == expected));
}

TEST_CASE("kron: levels fall into the quadrants as A, B, C, D say, whatever the level before") {
  const KroneckerModel model(22, 16, GENERATE(1u, 99u));
  constexpr std::size_t count = 200'000;
  const std::vector<double> share = {0.57, 0.19, 0.19, 0.05};
  std::vector<KroneckerEdge> edges;
  for (std::size_t i = 0; i < count; ++i) edges.push_back(unscrambled_kronecker_edge(model.plan(), i));
  const auto quadrant = [](const KroneckerEdge& edge, int bit) {
    return (edge.source >> bit & 1) * 2 + (edge.target >> bit & 1);
  };
  std::vector<double> expected;
  for (const double a : share) {
    for (const double b : share) expected.push_back(a * b * count);
  }
  for (int bit = 0; bit < 22; ++bit) {
    for (int other = 0; other < bit; ++other) {
      std::vector<std::uint64_t> counts(16);
      for (const auto& edge : edges) ++counts[quadrant(edge, bit) * 4 + quadrant(edge, other)];
      CAPTURE(bit, other);
      REQUIRE(chi_square_deviation(counts, expected) < 6.5);  // 231 pairs of levels are looked at
    }
  }
}

TEST_CASE("kron: scrambling is a bijection and leaves no order") {
  const int scale = GENERATE(1, 2, 3, 4, 5, 8, 13, 16);
  const KroneckerModel model(scale, 1, GENERATE(1u, 2u));
  std::vector<bool> seen(model.nodes());
  std::uint64_t fixed = 0;
  for (std::uint64_t id = 0; id < model.nodes(); ++id) {
    const std::uint64_t image = scramble(model.plan(), id);
    REQUIRE(image < model.nodes());
    REQUIRE_FALSE(seen[image]);
    seen[image] = true;
    fixed += image == id;
  }
  if (scale >= 8) REQUIRE(fixed < 12);
}

TEST_CASE("kron: every input bit of the scrambling flips every output bit about half the time") {
  const KroneckerModel model(24, 1, 1);
  for (int in = 0; in < 24; ++in) {
    std::vector<int> flips(24);
    for (std::uint64_t i = 0; i < 4096; ++i) {
      const std::uint64_t id = core::mix_word(i) & (model.nodes() - 1);
      const std::uint64_t changed =
          scramble(model.plan(), id) ^ scramble(model.plan(), id ^ (std::uint64_t{1} << in));
      for (std::size_t out = 0; out < 24; ++out) flips[out] += static_cast<int>(changed >> out & 1);
    }
    for (const int count : flips) {
      CAPTURE(in, count);
      REQUIRE((count > 4096 / 4 && count < 4096 * 3 / 4));
    }
  }
}

TEST_CASE("kron: what cannot be is refused") {
  REQUIRE_THROWS_AS(KroneckerModel(0, 16, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(KroneckerModel(63, 1, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(KroneckerModel(62, 3, 1), std::invalid_argument);
  REQUIRE(KroneckerModel(62, 2, 1).edges() == std::uint64_t{1} << 63);
  REQUIRE_THROWS_AS(edges_of<std::uint32_t>(KroneckerModel(33, 1, 1), 0, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(edges_of<std::uint32_t>(KroneckerModel(4, 1, 1), 16, 1), std::out_of_range);
}

TEST_CASE("kron: the graph of a seed is pinned") {
  REQUIRE(fingerprint(all_edges<std::uint32_t>(KroneckerModel(10, 16, 1))) == 2744039167241727837u);
  REQUIRE(fingerprint(edges_of<std::uint64_t>(KroneckerModel(40, 16, 1), 0, 10'000)) ==
          14381146854975458831u);
}

}  // namespace
}  // namespace emgraph::graph::generate
