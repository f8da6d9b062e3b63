// SPDX-License-Identifier: MIT
// The hypergeometric sampler against the exact probabilities, and its mean and variance where those are too
// many.
#include "graph/generate/hypergeometric.hpp"

#include "tests/graph/generate/checks.hpp"

namespace emgraph::graph::generate {
namespace {

struct Urn {
  std::uint64_t universe;
  std::uint64_t marked;
  std::uint64_t draws;
};

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

double probability(const Urn& urn, std::uint64_t k) {
  const auto n = static_cast<double>(urn.universe);
  const auto marked = static_cast<double>(urn.marked);
  const auto draws = static_cast<double>(urn.draws);
  const auto x = static_cast<double>(k);
  return std::exp(log_choose(marked, x) + log_choose(n - marked, draws - x) - log_choose(n, draws));
}

TEST_CASE("hypergeometric: frequencies follow the exact probabilities") {
  // Inversion (variance below 400), then ratio of uniforms; sparse, dense, lopsided, tiny.
  const Urn urn =
      GENERATE(Urn{10, 5, 3}, Urn{50, 20, 10}, Urn{50, 20, 45}, Urn{1000, 3, 900}, Urn{4950, 2475, 3000},
               Urn{3000, 1500, 1500}, Urn{3300, 1650, 1650}, Urn{10'000, 5000, 4000},
               Urn{100'000, 50'000, 99'000 - 90'000}, Urn{1'000'000, 500'000, 2100},
               Urn{50'000, 10'000, 40'000}, Urn{20'000, 19'000, 10'000});
  CAPTURE(urn.universe, urn.marked, urn.draws);
  constexpr std::size_t trials = 200'000;
  std::vector<std::uint64_t> counts(std::min(urn.draws, urn.marked) + 1);
  WordStream words(stream_key(42, Purpose::gnm_tree, urn.universe + urn.draws));
  for (std::size_t i = 0; i < trials; ++i) {
    const std::uint64_t k = draw_hypergeometric(urn.universe, urn.marked, urn.draws, words);
    REQUIRE(k < counts.size());
    REQUIRE(urn.draws - k <= urn.universe - urn.marked);
    ++counts[k];
  }
  // Cells of fewer than 10 expected are put together with their neighbours.
  std::vector<std::uint64_t> cells;
  std::vector<double> expected;
  double pending = 0;
  std::uint64_t pending_count = 0;
  for (std::uint64_t k = 0; k < counts.size(); ++k) {
    pending +=
        urn.draws - std::min(urn.draws, k) <= urn.universe - urn.marked ? probability(urn, k) * trials : 0;
    pending_count += counts[k];
    if (pending < 10) continue;
    cells.push_back(pending_count);
    expected.push_back(pending);
    pending = 0, pending_count = 0;
  }
  cells.back() += pending_count;
  expected.back() += pending;
  REQUIRE(cells.size() > 1);
  REQUIRE(std::abs(chi_square_deviation(cells, expected)) < 5);
}

TEST_CASE("hypergeometric: mean and variance hold up to universes of 2^62") {
  constexpr std::uint64_t huge = std::uint64_t{1} << 62;
  const Urn urn = GENERATE(Urn{std::uint64_t{1} << 40, std::uint64_t{1} << 39, 100'000'000},
                           Urn{huge, huge / 2, 1'000'000'000'000}, Urn{huge, huge / 2, huge / 2},
                           Urn{huge + 1, huge / 2, huge - 1'000'000}, Urn{huge, huge / 2, 3},
                           Urn{9'223'372'034'707'292'160u, 4'611'686'017'353'646'080u, 26'843'545'600u});
  CAPTURE(urn.universe, urn.marked, urn.draws);
  const auto share = static_cast<long double>(urn.marked) / static_cast<long double>(urn.universe);
  const long double mean = share * static_cast<long double>(urn.draws);
  const long double variance = mean * (1 - share) * static_cast<long double>(urn.universe - urn.draws) /
                               static_cast<long double>(urn.universe - 1);
  constexpr int trials = 100'000;
  long double sum = 0;
  long double squares = 0;
  WordStream words(stream_key(7, Purpose::gnm_tree));
  for (int i = 0; i < trials; ++i) {
    const std::uint64_t k = draw_hypergeometric(urn.universe, urn.marked, urn.draws, words);
    const auto z = (static_cast<long double>(k) - mean) / std::sqrt(variance);
    sum += z;
    squares += z * z;
  }
  REQUIRE(std::abs(static_cast<double>(sum) / std::sqrt(double{trials})) < 5);
  REQUIRE(std::abs(static_cast<double>(squares) / trials - 1) < 5 * std::sqrt(2.0 / trials));
}

TEST_CASE("hypergeometric: certain outcomes") {
  WordStream words(1);
  REQUIRE(draw_hypergeometric(0, 0, 0, words) == 0);
  REQUIRE(draw_hypergeometric(10, 4, 0, words) == 0);
  REQUIRE(draw_hypergeometric(10, 4, 10, words) == 4);
  REQUIRE(draw_hypergeometric(10, 0, 7, words) == 0);
  REQUIRE(draw_hypergeometric(10, 10, 7, words) == 7);
  REQUIRE(draw_hypergeometric(std::uint64_t{1} << 62, std::uint64_t{1} << 61, std::uint64_t{1} << 62,
                              words) == std::uint64_t{1} << 61);
}

}  // namespace
}  // namespace emgraph::graph::generate
