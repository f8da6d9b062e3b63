// SPDX-License-Identifier: MIT
// The sample that a sort gathers itself takes no memory beside the budget.
#include <malloc.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "core/sort/distribution_sorter.hpp"
#include "tests/support/machine.hpp"

namespace emgraph::tests {
namespace {

/// The most bytes that the heap has had from the system, as it keeps what it has; 0 with sanitizers.
std::size_t most_heap_bytes() {
  return mallinfo2().arena;
}

TEST_CASE("distribution sort without a sample classifies its first records within its memory") {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  for (const std::size_t attachment_bytes : {0, 8}) {
    CAPTURE(attachment_bytes);
    TestEnvironment test{.memory_bytes = 32 * core::MiB};
    const NothingLeft nothing_left(test);
    core::DistributionSorter<std::uint64_t>::Options options;
    options.attachment_bytes = attachment_bytes;
    std::vector<std::uint64_t> keys(300'000);  // more than are gathered: 2^18
    std::mt19937_64 random(1);
    for (std::uint64_t& key : keys) key = random();
    core::DistributionSorter<std::uint64_t> sorter(test.environment, options);
    malloc_trim(0);
    const std::size_t before = most_heap_bytes();
    for (const std::uint64_t key : keys) {
      if (attachment_bytes == 0) {
        sorter.lane(0).push(key);
      } else {
        sorter.lane(0).push_with(key, key);
      }
    }
    CHECK(most_heap_bytes() <= before + core::MiB);
    sorter.lane(0).finish();
    sorter.finish();
    std::sort(keys.begin(), keys.end());
    std::size_t seen = 0;
    for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
      REQUIRE(std::equal(batch.begin(), batch.end(), keys.begin() + seen));
      if (attachment_bytes > 0)
        REQUIRE(std::memcmp(sorter.attachments(), &keys[seen], batch.size_bytes()) == 0);
      seen += batch.size();
    }
    CHECK(seen == keys.size());
    CHECK(test.memory.peak() <= test.memory_bytes);
  }
}

}  // namespace
}  // namespace emgraph::tests
