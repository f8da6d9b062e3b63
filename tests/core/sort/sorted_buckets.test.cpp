// SPDX-License-Identifier: MIT
// Buckets are sorted by the threads that there are, however few can be created.
#include "core/sort/sorted_buckets.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <random>
#include <span>
#include <vector>

#include "core/sort/distribution_sorter.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/refused_threads.hpp"

namespace emgraph::tests {
namespace {

using Sorter = core::DistributionSorter<std::uint64_t>;

std::vector<std::uint64_t> random_keys(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> keys(300'000);
  for (std::uint64_t& key : keys) key = random();
  return keys;
}

Sorter::Options options_for(const std::vector<std::uint64_t>& keys) {
  Sorter::Options options;
  options.records = keys.size();
  options.sample.assign(keys.begin(), keys.begin() + 10'000);
  return options;
}

void push_all(Sorter& sorter, const std::vector<std::uint64_t>& keys) {
  for (const std::uint64_t key : keys) sorter.lane(0).push(key);
  for (unsigned lane = 0; lane < sorter.lanes(); ++lane) sorter.lane(lane).finish();
}

TEST_CASE("a sort goes on with the threads that can be created") {
  const std::vector<std::uint64_t> keys = random_keys(1);
  std::vector<std::uint64_t> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint64_t granted = 0; granted <= 4; ++granted) {
    CAPTURE(granted);
    TestEnvironment test{.memory_bytes = 4 * core::MiB, .threads = 5};
    const NothingLeft nothing_left(test);
    Sorter sorter(test.environment, options_for(keys));
    push_all(sorter, keys);
    {
      const RefusedThreads threads(granted);
      sorter.finish();
      CHECK(threads.refused() == (granted < 4 ? 1U : 0U));
    }
    std::vector<std::uint64_t> found;
    for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
      found.insert(found.end(), batch.begin(), batch.end());
    }
    CHECK(found == sorted);
  }
}

TEST_CASE("keys of buckets that are not sorted yet can be dropped") {
  const std::vector<std::uint64_t> keys = random_keys(2);
  std::vector<std::uint64_t> even;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(even),
               [](std::uint64_t key) { return key % 2 == 0; });
  std::sort(even.begin(), even.end());
  for (const unsigned threads : {1U, 3U}) {
    CAPTURE(threads);
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .threads = threads};
    const NothingLeft nothing_left(test);
    Sorter sorter(test.environment, options_for(keys));
    push_all(sorter, keys);
    sorter.finish();
    sorter.keep_before_sorting([](std::span<std::uint64_t> bucket) {
      const auto odd =
          std::partition(bucket.begin(), bucket.end(), [](std::uint64_t key) { return key % 2 == 0; });
      return static_cast<std::size_t>(odd - bucket.begin());
    });
    std::vector<std::uint64_t> found;
    std::uint64_t dropped = 0;
    for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
      found.insert(found.end(), batch.begin(), batch.end());
      dropped += sorter.take_dropped();
    }
    dropped += sorter.take_dropped();
    CHECK(found.size() + dropped == keys.size());
    // The workers may have sorted a bucket each before.
    CHECK(dropped > (keys.size() - even.size()) / 2);
    CHECK(std::is_sorted(found.begin(), found.end()));
    std::erase_if(found, [](std::uint64_t key) { return key % 2 == 1; });
    CHECK(found == even);
  }
}

}  // namespace
}  // namespace emgraph::tests
