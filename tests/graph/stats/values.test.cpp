// SPDX-License-Identifier: MIT
// Histograms, and sums of weights that do not depend on the order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/base/error.hpp"
#include "graph/stats/exact_sum.hpp"
#include "graph/stats/value_histogram.hpp"
#include "graph/stats/weight_facts.hpp"
#include "tests/graph/stats/solve.hpp"

namespace emgraph::tests::stats {
namespace {

using graph::WeightType;
using graph::stats::ExactSum;
using graph::stats::LogBin;
using graph::stats::ValueHistogram;
using graph::stats::WeightFacts;

double exact_sum(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST_CASE("sums of doubles are exact and rounded once") {
  constexpr double most = std::numeric_limits<double>::max();
  constexpr double least = std::numeric_limits<double>::denorm_min();
  CHECK(exact_sum({}) == 0);
  CHECK(exact_sum({1, 2, 3}) == 6);
  CHECK(exact_sum({1e100, 1, -1e100}) == 1);
  CHECK(exact_sum({1, least, -1}) == least);
  CHECK(exact_sum({-least, -least, -least}) == -3 * least);
  CHECK(exact_sum({most, most, -most}) == most);
  CHECK(exact_sum({most, most}) == std::numeric_limits<double>::infinity());
  CHECK(exact_sum({-most, -most}) == -std::numeric_limits<double>::infinity());
  // Half of the last place: to even, up with anything more, down with anything less.
  const double ulp = std::numeric_limits<double>::epsilon();
  CHECK(exact_sum({1, ulp / 2}) == 1);
  CHECK(exact_sum({1 + ulp, ulp / 2}) == 1 + 2 * ulp);
  CHECK(exact_sum({1, ulp / 2, least}) == 1 + ulp);
  CHECK(exact_sum({1, ulp / 2, -least}) == 1);
  CHECK(exact_sum({-1, -ulp / 2, -least}) == -1 - ulp);
}

TEST_CASE("sums of doubles do not depend on order or parts") {
  std::mt19937_64 random(81);
  std::vector<double> values;
  while (values.size() < 3000) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  const std::size_t half = values.size();
  for (std::size_t i = 0; i < half; ++i) values.push_back(-values[i]);
  values.push_back(0.1);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(values.begin(), values.end(), random);
    CHECK(exact_sum(values) == 0.1);
    ExactSum left;
    ExactSum right;
    for (std::size_t i = 0; i < values.size(); ++i) (i < 1000 ? left : right).add(values[i]);
    left.merge(right);
    CHECK(left.value() == 0.1);
  }
}

template <class T>
graph::Record<std::uint32_t, sizeof(T)> weighted(T weight) {
  graph::Record<std::uint32_t, sizeof(T)> edge{};
  std::memcpy(edge.attachment.data(), &weight, sizeof(T));
  return edge;
}

template <class T>
WeightFacts facts_of(WeightType type, const std::vector<T>& weights) {
  WeightFacts first(type);
  WeightFacts second(type);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto edge = weighted(weights[i]);
    const std::byte* const row = std::as_bytes(std::span(&edge, 1)).data();
    (i % 2 == 0 ? first : second).add(graph::EdgeBatch<std::uint32_t>(row, 1, sizeof edge));
  }
  first.merge(second);
  return first;
}

TEST_CASE("weights of every type: least, largest, sum") {
  const WeightFacts small = facts_of<std::uint32_t>(WeightType::u32, {7, 0xffffffff, 3, 0xffffffff});
  CHECK(small.count() == 4);
  CHECK(small.least_integer() == 3);
  CHECK(small.largest_integer() == 0xffffffff);
  CHECK((small.integer_sum() == 2 * std::int64_t{0xffffffff} + 10));
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const WeightFacts large = facts_of<std::int64_t>(WeightType::i64, {most, most, most, -5});
  CHECK(large.least_integer() == -5);
  CHECK((large.integer_sum() == core::int128{3} * most - 5));
  const WeightFacts real =
      facts_of<double>(WeightType::f64, {1e300, 0.5, -1e300, std::nan(""), INFINITY, -0.25});
  CHECK(real.count() == 4);
  CHECK(real.not_finite() == 2);
  CHECK(real.least() == -1e300);
  CHECK(real.largest() == 1e300);
  CHECK(real.sum() == 0.25);
  const WeightFacts none = facts_of<float>(WeightType::f32, {NAN});
  CHECK(none.count() == 0);
  CHECK(none.not_finite() == 1);
  const WeightFacts zero = facts_of<float>(WeightType::f32, {-0.0F});
  CHECK(!std::signbit(zero.least()));
}

TEST_CASE("stats see the weights of all edges whatever the way they go") {
  using WeightedEdge = graph::Record<std::uint32_t, 4>;
  std::vector<WeightedEdge> edges = records_of<WeightedEdge>(random_edges(500, 4000, 82));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto weight = static_cast<std::uint32_t>(i * 2654435761);
    std::memcpy(edges[i].attachment.data(), &weight, 4);
    sum += weight;
  }
  for (const unsigned threads : tried_threads({1U, 2U})) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .threads = threads};
    graph::EdgeFacts facts = facts_with(500);
    facts.layout.weight = WeightType::u32;
    VectorSource<WeightedEdge> source(edges, {.facts = facts});
    const auto result = graph::stats::run<WeightedEdge::id_type>(test.environment, source, {}, nullptr);
    CHECK(result.weights.type() == WeightType::u32);
    CHECK(result.weights.count() == 4000);
    CHECK((result.weights.integer_sum() == static_cast<core::int128>(sum)));
  }
}

TEST_CASE("histograms count small and large values, and charge for what they keep") {
  core::MemoryBudget budget(core::MiB);
  ValueHistogram histogram(budget);
  CHECK(histogram.total() == 0);
  CHECK(histogram.median() == 0);
  CHECK(histogram.mean() == 0);
  CHECK(histogram.largest() == 0);
  std::mt19937_64 random(83);
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 4001; ++i) values.push_back(i % 3 == 0 ? random() % 10000000 : random() % 5000);
  for (const std::uint64_t value : values) histogram.add(value);
  CHECK((entries_of(histogram) == histogram_of(values)));
  std::sort(values.begin(), values.end());
  CHECK(histogram.median() == static_cast<double>(values[2000]));
  CHECK(histogram.least() == values.front());
  CHECK(histogram.largest() == values.back());
  CHECK(budget.used() > 64 * 1000);
  histogram.add(values.back() + 2, 4001);
  CHECK(histogram.median() == static_cast<double>(values.back()) + 1);

  core::MemoryBudget small(64 * core::KiB);
  ValueHistogram full(small);
  CHECK_THROWS_AS(
      [&] {
        for (std::uint64_t value = 5000; value < 10000; ++value) full.add(value);
      }(),
      core::MemoryLimitError);
}

TEST_CASE("bins double, and those between may be empty") {
  core::MemoryBudget budget(core::MiB);
  ValueHistogram histogram(budget);
  CHECK(graph::stats::log_bins(histogram).empty());
  for (const std::uint64_t value : {0, 1, 1, 3, 4, 7, 32}) histogram.add(value);
  const auto bins = graph::stats::log_bins(histogram);
  std::vector<std::vector<std::uint64_t>> found;
  for (const LogBin& bin : bins) found.push_back({bin.first, bin.last, bin.count});
  CHECK((found == std::vector<std::vector<std::uint64_t>>{
                      {0, 0, 1}, {1, 1, 2}, {2, 3, 1}, {4, 7, 2}, {8, 15, 0}, {16, 31, 0}, {32, 63, 1}}));
  ValueHistogram last(budget);
  last.add(~std::uint64_t{0}, 5);
  const auto top = graph::stats::log_bins(last);
  REQUIRE(top.size() == 1);
  CHECK(top[0].first == std::uint64_t{1} << 63);
  CHECK(top[0].last == ~std::uint64_t{0});
  CHECK(top[0].count == 5);
}

}  // namespace
}  // namespace emgraph::tests::stats
