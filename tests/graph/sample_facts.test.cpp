// SPDX-License-Identifier: MIT
// Estimates of different edges and of nodes with an edge, from a sample.
#include "graph/sample_facts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <utility>

#include "tests/oracle/ascending.hpp"

namespace emgraph::tests {

using graph::distinct_values;

namespace {

/// `count` draws from `values` by `draw`.
template <class Draw>
std::vector<std::uint64_t> draws(std::size_t count, Draw&& draw) {
  std::vector<std::uint64_t> values(count);
  for (std::uint64_t& value : values) value = draw();
  return values;
}

/// The estimate from a part of `all` over the truth.
double quality(const std::vector<std::uint64_t>& all, std::size_t sampled) {
  std::vector<std::uint64_t> shuffled = all;
  std::mt19937_64 random(5);
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  shuffled.resize(sampled);
  const auto truth = static_cast<double>(count_distinct(all));
  return distinct_values(shuffled, static_cast<double>(all.size())) / truth;
}

void check_quality(const std::vector<std::uint64_t>& all, std::size_t sampled) {
  const double ratio = quality(all, sampled);
  CHECK(ratio > 0.75);
  CHECK(ratio < 1.34);
}

}  // namespace

TEST_CASE("different values are estimated from a sample of even, repeated and skewed ones") {
  std::mt19937_64 random(3);
  constexpr std::size_t count = 1'000'000;
  SECTION("hardly any repeated") {
    check_quality(draws(count, [&] { return random() % (std::uint64_t{1} << 40); }), 50'000);
  }
  SECTION("each about five times, and fifty times") {
    for (const std::uint64_t times : {5, 50}) {
      INFO(times);
      check_quality(draws(count, [&] { return random() % (count / times); }), 50'000);
    }
  }
  SECTION("half of them the same") {
    check_quality(draws(count, [&] { return random() % 2 == 0 ? 7 : random(); }), 50'000);
  }
  SECTION("a power law") {
    std::uniform_real_distribution<double> uniform(1e-6, 1);
    check_quality(
        draws(count, [&] { return static_cast<std::uint64_t>(1e6 * std::pow(uniform(random), 3)); }),
        100'000);
  }
}

TEST_CASE("a sample of all values counts the different ones") {
  std::vector<std::uint64_t> values = {5, 3, 5, 5, 9};
  CHECK(distinct_values(values, 5) == 3);
  values.clear();
  CHECK(distinct_values(values, 0) == 0);
}

TEST_CASE("a search is likely to reach most nodes if random edges of this number connect them") {
  CHECK(graph::largest_component_share(1000, 100) < 0.1);
  CHECK(graph::largest_component_share(1000, 4000) > 0.99);
  const graph::SampleFacts all;
  CHECK(all.connected(1000, 1000));
  CHECK_FALSE(all.connected(1000, 400));
  graph::SampleFacts repeated;
  repeated.distinct_share = 0.2;
  CHECK_FALSE(repeated.connected(1000, 1000));
  // Half of the ids are not used.
  graph::SampleFacts few;
  few.touched = 500;
  CHECK(few.connected(2000, 1000));
}

}  // namespace emgraph::tests
