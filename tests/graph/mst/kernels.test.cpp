// SPDX-License-Identifier: MIT
// The pieces of the solver: ranks of weights, codes, splitting, sorting.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "graph/mst/filter_kruskal.hpp"
#include "graph/mst/step_kernel.hpp"
#include "tests/graph/mst/solve.hpp"

namespace emgraph::tests::mst {
namespace {

using core::ThreadTeam;
using graph::mst::CodeLayout;
using graph::mst::EdgeCodes;
using graph::mst::partition_codes;
using graph::mst::sort_codes;
using graph::mst::WideCode;

TEST_CASE("mst ranks of weights order as the weights, and lead back to them") {
  const auto check = [](WeightType type, const std::vector<long double>& ascending, const auto& rank) {
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < ascending.size(); ++i) {
      const std::uint64_t now = rank(bits_from_weight(type, ascending[i]));
      if (i > 0) CHECK(before < now);
      before = now;
      CHECK(weight_from_bits(type, graph::weight_of_rank(type, now)) == ascending[i]);
    }
  };
  const long double inf = std::numeric_limits<long double>::infinity();
  check(WeightType::f32,
        {-inf, -std::ldexp(1.5L, 127), -1, -std::ldexp(1.0L, -149), 0, std::ldexp(1.0L, -149), 1,
         std::ldexp(1.5L, 127), inf},
        [](std::uint64_t bits) {
          return std::uint64_t{graph::rank_of_float(static_cast<std::uint32_t>(bits))};
        });
  check(WeightType::f64,
        {-inf, -std::ldexp(1.0L, 1000), -1, -std::ldexp(1.0L, -1074), 0, std::ldexp(1.0L, -1074), 1,
         std::ldexp(1.0L, 1000), inf},
        [](std::uint64_t bits) { return graph::rank_of_float(bits); });
  check(WeightType::i64, {-9223372036854775808.0L, -1, 0, 1, 9223372036854775807.0L}, graph::rank_of_i64);
  CHECK(graph::rank_of_float(0x80000000U) == graph::rank_of_float(0U));
}

TEST_CASE("mst hash weights are the contract's for any modulus") {
  std::mt19937_64 random(50);
  for (const std::uint64_t modulus : {1ULL, 2ULL, 3ULL, 1000ULL, 1ULL << 31, 4294967295ULL}) {
    const graph::HashWeights hash(modulus);
    for (int i = 0; i < 2000; ++i) {
      std::uint64_t low = random() >> (random() % 64);
      std::uint64_t high = random() >> (random() % 64);
      if (high < low) std::swap(low, high);
      CHECK(hash(low, high) == hash_weight(low, high, modulus));
    }
  }
}

TEST_CASE("mst steps of hash weights in vectors are those of single edges, for any modulus") {
  std::mt19937_64 random(51);
  for (const std::uint64_t modulus : {1ULL, 2ULL, 3ULL, 1000ULL, 65537ULL, 1ULL << 31, 4294967295ULL}) {
    for (const std::size_t count : {0U, 1U, 7U, 64U, 509U, 512U}) {
      std::vector<graph::Edge32> edges(count);
      for (graph::Edge32& edge : edges) {
        edge.source = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
        edge.target = random() % 8 == 0 ? edge.source : static_cast<std::uint32_t>(random());
      }
      if (count > 2) edges[2] = {0xffffffffU, 0xfffffffeU};
      graph::mst::FeedStep step;
      graph::mst::make_hashed_step(edges, modulus, step);
      std::size_t place = 0;
      for (const auto& [one, other] : edges) {
        const std::uint64_t low = std::min(one, other);
        const std::uint64_t high = std::max(one, other);
        if (low == high) continue;
        REQUIRE(place < step.count);
        CHECK(step.low[place] == low);
        CHECK(step.high[place] == high);
        CHECK(step.weight[place++] == hash_weight(low, high, modulus));
      }
      CHECK(place == step.count);
    }
  }
}

TEST_CASE("mst looks up the bits of large sets in vectors as for single edges") {
  using graph::mst::FeedStep;
  std::mt19937_64 random(52);
  constexpr std::size_t nodes = 1000;
  constexpr std::size_t words = 16;
  std::vector<std::uint64_t> bits(3 * words);
  for (std::uint64_t& word : bits) word = random() | random();
  const std::vector<std::uint64_t> bounds = {1000, 5000, std::uint64_t{1} << 63};
  for (std::size_t levels = 1; levels <= bounds.size(); ++levels) {
    const graph::mst::LevelBits<std::uint64_t> level_bits{std::span(bounds).first(levels), bits.data(), words,
                                                          nodes - 1};
    for (const std::size_t count : {0U, 1U, 9U, 512U}) {
      FeedStep step;
      step.count = count;
      std::vector<std::uint64_t> codes(FeedStep::most_edges);
      for (std::size_t i = 0; i < count; ++i) {
        step.high[i] = random() % 8 == 0 ? nodes + (random() >> (random() % 64)) % (~std::uint64_t{0} - nodes)
                                         : random() % nodes;
        step.low[i] = random() % (step.high[i] + 1);
        codes[i] = random() >> (random() % 64);
        if (random() % 8 == 0) codes[i] = bounds[random() % bounds.size()] - random() % 2;
      }
      std::vector<std::uint64_t> single_codes = codes;
      graph::mst::UndecidedEdges<std::uint64_t> undecided;
      graph::mst::UndecidedEdges<std::uint64_t> single;
      const std::size_t kept = keep_by_bits_in_vectors(step, level_bits, codes.data(), undecided);
      REQUIRE(kept == keep_by_bits(step, level_bits, single_codes.data(), single));
      CHECK(
          std::equal(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(kept), single_codes.begin()));
      REQUIRE(undecided.count == single.count);
      for (std::size_t i = 0; i < single.count; ++i) {
        CHECK(undecided.place[i] == single.place[i]);
        CHECK(undecided.code[i] == single.code[i]);
      }
    }
  }
}

template <class Code>
void check_codes(const CodeLayout& layout) {
  const EdgeCodes<Code> codes(layout);
  std::mt19937_64 random(51);
  std::vector<WideCode> edges;
  for (int i = 0; i < 500; ++i) {
    edges.push_back(
        {layout.weight_base + (random() % 3) * ((std::uint64_t{1} << (layout.weight_bits - 1)) - 1),
         random() & core::low_mask<std::uint64_t>(layout.id_bits),
         random() & core::low_mask<std::uint64_t>(layout.id_bits)});
  }
  for (const WideCode& a : edges) {
    const Code code = codes.make(a.weight, a.low, a.high);
    CHECK(WideCode{codes.weight(code), codes.low(code), codes.high(code)} == a);
    CHECK(codes.from_ends(codes.by_ends(code)) == a);
    for (const WideCode& b : edges) {
      const Code other = codes.make(b.weight, b.low, b.high);
      CHECK((code < other) == (a < b));
      CHECK((codes.by_ends(code) < codes.by_ends(other)) ==
            (WideCode{a.low, a.high, a.weight} < WideCode{b.low, b.high, b.weight}));
    }
  }
}

TEST_CASE("mst codes order as weight and ends") {
  check_codes<std::uint64_t>({.weight_base = 17, .weight_bits = 20, .id_bits = 22});
  check_codes<std::uint64_t>({.weight_base = 0, .weight_bits = 62, .id_bits = 1});
  check_codes<core::uint128>({.weight_base = 0, .weight_bits = 64, .id_bits = 32});
  check_codes<core::uint128>({.weight_base = 0, .weight_bits = 10, .id_bits = 33});
  check_codes<WideCode>({});
}

TEST_CASE("mst splits and sorts on any number of threads") {
  std::mt19937_64 random(52);
  for (const unsigned threads : tried_threads({1U, 2U, 3U, 5U})) {
    ThreadTeam team(threads);
    for (const std::size_t size : {0UL, 1UL, 1000UL, 70000UL, 300001UL}) {
      for (const std::uint64_t values : {1ULL, 3ULL, ~0ULL}) {
        CAPTURE(threads, size, values);
        std::vector<std::uint64_t> codes(size);
        for (std::uint64_t& code : codes) code = random() % values;
        std::vector<std::uint64_t> right = codes;
        std::sort(right.begin(), right.end());
        const std::uint64_t pivot = size == 0 ? 5 : codes[size / 3];
        const std::size_t below = partition_codes(std::span(codes), pivot, team);
        CHECK(below ==
              static_cast<std::size_t>(std::lower_bound(right.begin(), right.end(), pivot) - right.begin()));
        CHECK(std::all_of(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(below),
                          [&](std::uint64_t code) { return code < pivot; }));
        if (size > 0) sort_codes(std::span(codes), team);
        CHECK((codes == right));
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::mst
