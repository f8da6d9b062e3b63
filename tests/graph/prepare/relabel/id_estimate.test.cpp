// SPDX-License-Identifier: MIT
// Estimates of how many ends are different, against inputs whose numbers are known.
#include "graph/prepare/relabel/id_estimate.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace emgraph::tests {

using graph::relabel::DistinctEnds;
using graph::relabel::estimate_distinct;

namespace {

struct Ends {
  std::vector<std::uint64_t> all;
  std::uint64_t distinct() const { return std::set<std::uint64_t>(all.begin(), all.end()).size(); }
  std::vector<std::uint64_t> each(std::size_t step) const {
    std::vector<std::uint64_t> sample;
    for (std::size_t i = 0; i < all.size(); i += step) sample.push_back(all[i]);
    return sample;
  }
};

template <class Draw>
Ends drawn(std::size_t count, Draw&& draw) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  Ends ends;
  for (std::size_t i = 0; i < count; ++i) ends.all.push_back(static_cast<std::uint64_t>(draw(unit(random))));
  return ends;
}

}  // namespace

TEST_CASE("the number of different ends is estimated within a factor of three, and bounded") {
  const std::vector<Ends> inputs = {drawn(400'000, [](double x) { return x * 1000; }),
                                    drawn(400'000, [](double x) { return x * 30'000; }),
                                    drawn(400'000, [](double x) { return x * 3'000'000; }),
                                    // Few ends have most of the edges.
                                    drawn(400'000, [](double x) { return std::pow(x, 5) * 1'000'000; }),
                                    drawn(400'000, [](double x) { return x < 0.5 ? 0 : x * 1'000'000; })};
  for (const Ends& ends : inputs) {
    for (const std::size_t step : {2, 10, 50}) {
      const auto distinct = static_cast<double>(ends.distinct());
      CAPTURE(distinct, step);
      const DistinctEnds estimate = estimate_distinct(ends.each(step), ends.all.size());
      CHECK(static_cast<double>(estimate.likely) > distinct / 3);
      CHECK(static_cast<double>(estimate.likely) < distinct * 3);
      CHECK(static_cast<double>(estimate.most) >= distinct);
      CHECK(estimate.most <= ends.all.size());
      CHECK(estimate.likely <= estimate.most);
    }
  }
}

TEST_CASE("all ends as the sample give their number, and none give a bound") {
  CHECK(estimate_distinct({5, 7, 5, 9}, 4).likely == 3);
  CHECK(estimate_distinct({5, 7, 5, 9}, 4).most == 3);
  CHECK(estimate_distinct({}, 10).most == 10);
  CHECK(estimate_distinct({}, 0).likely == 0);
  // Each end of a large sample is new: so may all others be.
  std::vector<std::uint64_t> different(1000);
  for (std::size_t i = 0; i < different.size(); ++i) different[i] = i;
  CHECK(estimate_distinct(different, 100'000).most == 100'000);
}

TEST_CASE("the method follows the largest id and the number of ids") {
  using graph::relabel::first_method;
  using graph::relabel::Method;
  constexpr std::size_t table_bytes = 1'000'000;
  CHECK(first_method({.largest = 1000, .distinct = {1'000'000'000, 1'000'000'000}}, table_bytes) ==
        Method::marked);
  constexpr std::uint64_t far = std::uint64_t{1} << 60;
  CHECK(first_method({.largest = far, .distinct = {50'000, 1'000'000}}, table_bytes) == Method::sorted);
  CHECK(first_method({.largest = far, .distinct = {1'000'000, 1'000'000}}, table_bytes) == Method::joined);
}

}  // namespace emgraph::tests
