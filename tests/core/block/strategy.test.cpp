// SPDX-License-Identifier: MIT
// What each allocation strategy promises, for 1 to 4 disks.
#include "core/block/strategy.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace emgraph::core {
namespace {

constexpr std::size_t rounds = 1000;

std::vector<std::size_t> sequence(AllocationStrategy strategy, std::size_t disks, std::uint64_t seed) {
  DiskSequence source(strategy, disks, seed);
  std::vector<std::size_t> out(rounds * disks);
  for (std::size_t& disk : out) disk = source.next();
  return out;
}

std::vector<std::size_t> round_of(const std::vector<std::size_t>& all, std::size_t disks,
                                  std::size_t number) {
  return {all.begin() + static_cast<std::ptrdiff_t>(number * disks),
          all.begin() + static_cast<std::ptrdiff_t>((number + 1) * disks)};
}

TEST_CASE("every strategy is deterministic, in range and even", "[strategy]") {
  for (const auto strategy : {AllocationStrategy::striping, AllocationStrategy::randomized_striping,
                              AllocationStrategy::fully_random, AllocationStrategy::randomized_cycling}) {
    for (std::size_t disks = 1; disks <= 4; ++disks) {
      const auto all = sequence(strategy, disks, 5);
      CHECK(all == sequence(strategy, disks, 5));
      for (std::size_t disk = 0; disk < disks; ++disk) {
        const auto count = static_cast<std::size_t>(std::count(all.begin(), all.end(), disk));
        // 1000 expected; a binomial strays by more than 150 once in 10^6 seeds, the others not at all.
        const std::size_t slack = strategy == AllocationStrategy::fully_random ? 150 : 0;
        CHECK(count >= rounds - slack);
        CHECK(count <= rounds + slack);
      }
      CHECK(*std::max_element(all.begin(), all.end()) == disks - 1);
    }
  }
}

TEST_CASE("striping is round robin", "[strategy]") {
  const auto all = sequence(AllocationStrategy::striping, 3, 1);
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == i % 3);
}

TEST_CASE("randomized striping starts each round anywhere", "[strategy]") {
  const auto all = sequence(AllocationStrategy::randomized_striping, 4, 1);
  std::set<std::size_t> starts;
  for (std::size_t r = 0; r < rounds; ++r) {
    const auto round = round_of(all, 4, r);
    for (std::size_t i = 0; i < 4; ++i) REQUIRE(round[i] == (round[0] + i) % 4);
    starts.insert(round[0]);
  }
  CHECK(starts.size() == 4);
}

TEST_CASE("randomized cycling repeats one permutation, which depends on the seed", "[strategy]") {
  std::set<std::vector<std::size_t>> permutations;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto all = sequence(AllocationStrategy::randomized_cycling, 4, seed);
    const auto first = round_of(all, 4, 0);
    REQUIRE(std::set(first.begin(), first.end()).size() == 4);
    if (seed < 4) {
      for (std::size_t r = 1; r < rounds; ++r) REQUIRE(round_of(all, 4, r) == first);
    }
    permutations.insert(first);
  }
  CHECK(permutations.size() == 24);
}

TEST_CASE("fully random sequences differ by seed and repeat disks", "[strategy]") {
  const auto all = sequence(AllocationStrategy::fully_random, 4, 1);
  CHECK(all != sequence(AllocationStrategy::fully_random, 4, 2));
  CHECK(std::adjacent_find(all.begin(), all.end()) != all.end());
}

}  // namespace
}  // namespace emgraph::core
