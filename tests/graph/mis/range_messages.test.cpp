// SPDX-License-Identifier: MIT
// Messages between node ranges: the plan's arithmetic, and the content against a set.
#include "graph/mis/range_messages.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "core/base/error.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests::mis {
namespace {

using graph::mis::MessageRanges;
using graph::mis::RangeMessages;

TEST_CASE("a range plan covers all nodes within its memory or there is none") {
  for (std::uint64_t nodes : {0ULL, 1ULL, 63ULL, 64ULL, 65ULL, 4096ULL, 1000000ULL, 1ULL << 32,
                              (1ULL << 32) + 1, 1ULL << 36, 1ULL << 45, ~0ULL}) {
    bool possible = false;
    for (std::size_t memory = 4 * core::KiB; memory <= 16 * core::GiB; memory += memory / 3) {
      CAPTURE(nodes, memory);
      const auto plan = MessageRanges::make(nodes, memory);
      CHECK((plan.has_value() || !possible));  // more memory is never worse
      if (!plan) continue;
      possible = true;
      CHECK(plan->range_nodes >= 64);
      CHECK(plan->range_nodes <= 1ULL << 32);
      CHECK(plan->ranges >= 1);
      if (nodes > 0) {
        CHECK((nodes - 1) / plan->range_nodes < plan->ranges);
        CHECK((nodes - 1) / plan->range_nodes == plan->ranges - 1);
      }
      CHECK(plan->block_bytes >= 4 * core::KiB);
      CHECK(plan->block_bytes % (4 * core::KiB) == 0);
      // An open block for every range and some to spare.
      CHECK(plan->pool_bytes / plan->block_bytes >= 2 * plan->ranges);
      CHECK(plan->pool_bytes + plan->range_nodes / 8 <= memory);
    }
    if (nodes <= 1ULL << 36) CHECK(possible);
  }
}

TEST_CASE("a range plan uses one range where the bits fit") {
  CHECK(MessageRanges::make(1000000, core::MiB)->ranges == 1);
  CHECK(MessageRanges::make(1000000, 128 * core::KiB)->ranges == 2);
  CHECK(!MessageRanges::make(std::uint64_t{1} << 40, core::MiB));
}

/// Walks over all nodes, sending from each to some of the current and later ranges, and compares the bits of
/// every range with a set.
void check_messages(TestEnvironment& test, std::uint64_t nodes, const MessageRanges& plan,
                    std::size_t messages, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::set<std::uint64_t> sent;
  RangeMessages ranges(test.environment, nodes, plan);
  CHECK(ranges.range_begin() == 0);
  for (std::size_t range = 0;; ++range) {
    CAPTURE(nodes, plan.ranges, range);
    CHECK(ranges.range_begin() == range * plan.range_nodes);
    CHECK(ranges.range_end() == std::min(nodes, (range + 1) * plan.range_nodes));
    for (std::size_t i = 0; i < messages / plan.ranges; ++i) {
      const std::uint64_t left = nodes - ranges.range_begin();
      std::uint64_t node = ranges.range_begin() + random() % left;
      if (i % 5 == 0) node = nodes - 1;
      if (i % 5 == 1) node = std::min(nodes - 1, ranges.range_end());  // the first of the next range
      ranges.send(node);
      sent.insert(node);
    }
    std::uint64_t wrong = 0;
    std::vector<std::uint64_t> without;
    ranges.for_each_without([&](std::uint64_t node) { without.push_back(node); });
    auto next_without = without.begin();
    for (std::uint64_t node = ranges.range_begin(); node < ranges.range_end(); ++node) {
      const bool expected = sent.count(node) != 0;
      if (ranges.test(node) != expected) ++wrong;
      if (!expected && (next_without == without.end() || *next_without++ != node)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(next_without == without.end());
    if (ranges.range_end() == nodes) break;
    ranges.next_range();
  }
}

TEST_CASE("range messages arrive, each in its range") {
  for (const std::uint64_t nodes : {1ULL, 64ULL, 1000ULL, 65536ULL, 65537ULL, 300001ULL}) {
    for (const std::size_t memory : {40 * core::KiB, 64 * core::KiB, 200 * core::KiB, core::MiB}) {
      const auto plan = MessageRanges::make(nodes, memory);
      if (!plan) continue;
      TestEnvironment test{.memory_bytes = memory + 64 * core::KiB, .disks = 3};
      check_messages(test, nodes, *plan, 100000, memory);
      CHECK(test.memory.used() == 0);
      CHECK(test.memory.peak() <= test.memory_bytes);
      CHECK(test.blocks.used_bytes() == 0);
    }
  }
}

TEST_CASE("range messages that do not fit are written once and read once") {
  const auto plan = MessageRanges::make(2000000, 128 * core::KiB);
  REQUIRE(plan);
  CHECK(plan->ranges == 4);
  TestEnvironment test{.memory_bytes = 192 * core::KiB, .disks = 2};
  check_messages(test, 2000000, *plan, 200000, 3);
  const core::IoSnapshot io = test.statistics.snapshot();
  CHECK(io.write_bytes > 200000);
  CHECK(io.write_bytes < 200000 * 4);
  CHECK(io.read_bytes == io.write_bytes);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("many ranges of few nodes work with the least pool") {
  const MessageRanges plan{.range_nodes = 64, .ranges = 50, .block_bytes = 4096, .pool_bytes = 4096 * 2 * 54};
  TestEnvironment test{.memory_bytes = core::MiB};
  check_messages(test, 50 * 64 - 5, plan, 400000, 4);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("range messages dropped half way leave nothing") {
  const auto plan = MessageRanges::make(2000000, 128 * core::KiB);
  TestEnvironment test{.memory_bytes = 192 * core::KiB};
  {
    RangeMessages messages(test.environment, 2000000, *plan);
    for (std::uint64_t i = 0; i < 100000; ++i) messages.send(i * 19);
    messages.next_range();
    messages.send(1999999);
    CHECK(test.blocks.used_bytes() > 0);
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

}  // namespace
}  // namespace emgraph::tests::mis
