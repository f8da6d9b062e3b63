// SPDX-License-Identifier: MIT
// Samples of a sort are charged: one that the caller gives, and those of buckets that are split.
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/sort/distribution_sorter.hpp"
#include "tests/support/machine.hpp"

namespace emgraph::tests {
namespace {

using Sorter = core::DistributionSorter<std::uint64_t>;

TEST_CASE("distribution sort charges the sample that it is given, and frees it") {
  TestEnvironment test{.memory_bytes = 32 * core::MiB};
  Sorter::Options options;
  options.memory_bytes = core::MiB;
  options.sample.resize(std::size_t{1} << 20);
  std::mt19937_64 random(1);
  for (std::uint64_t& key : options.sample) key = random();
  const Sorter sorter(test.environment, std::move(options));
  CHECK(test.memory.peak() >= 8 * core::MiB);
  CHECK(test.memory.used() <= core::MiB);
}

TEST_CASE("the sample by which a bucket is split is charged") {
  bool refused = false;
  for (std::uint64_t k = 0; k < 40 && !refused; ++k) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB};
    const NothingLeft nothing_left(test);
    Sorter::Options options;
    options.sample.resize(4096);  // far from the keys, which all fall into one bucket
    for (std::size_t i = 0; i < options.sample.size(); ++i) options.sample[i] = i;
    Sorter sorter(test.environment, std::move(options));
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < 400'000; ++i) sorter.lane(0).push(random() | std::uint64_t{1} << 32);
    sorter.lane(0).finish();
    test.memory.fail_reservation(k);
    try {
      sorter.finish();
    } catch (const core::MemoryLimitError& error) {
      refused = std::string(error.what()).find("the sample of a bucket") != std::string::npos;
    }
  }
  CHECK(refused);
}

}  // namespace
}  // namespace emgraph::tests
