// SPDX-License-Identifier: MIT
// Areas are written and read completely, wrong bytes are detected, batches are counted; faults at every
// request.
#include "core/block/disk_area.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "core/base/error.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::core {
namespace {

using tests::TestEnvironment;

constexpr std::size_t unit = BlockManager::granularity_bytes;
constexpr double forever = std::numeric_limits<double>::infinity();

DiskArea::BatchDone nobody() {
  return [](std::uint64_t, double) {};
}

TEST_CASE("the pattern fills every page differently and finds any changed word", "[blocks]") {
  MemoryBudget budget(MiB);
  const AreaPattern pattern(budget, 7);
  const Buffer buffer(budget, 40 * unit, "pages");
  pattern.fill(3 * unit, buffer.bytes());
  CHECK(!pattern.first_difference(3 * unit, buffer.bytes()));
  CHECK(pattern.first_difference(4 * unit, buffer.bytes()) == std::uint64_t{0});
  CHECK(AreaPattern(budget, 8).first_difference(3 * unit, buffer.bytes()) == std::uint64_t{0});
  for (std::size_t a = 0; a < 40; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      CHECK(!std::ranges::equal(buffer.bytes().subspan(a * unit, unit),
                                buffer.bytes().subspan(b * unit, unit)));
    }
  }
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}, unit - 1, 17 * unit + 8, 40 * unit - 1}) {
    buffer.data()[at] ^= std::byte{4};
    CHECK(pattern.first_difference(3 * unit, buffer.bytes()) == at / 8 * 8);
    buffer.data()[at] ^= std::byte{4};
  }
}

TEST_CASE("an area is written and read back in batches, and nothing is left", "[blocks]") {
  for (const std::size_t disks : {1, 3}) {
    for (const std::uint64_t blocks : {1, 2, 7, 64}) {
      for (const unsigned depth : {1, 3, 8}) {
        CAPTURE(disks, blocks, depth);
        TestEnvironment test{.memory_bytes = 4 * MiB, .disks = disks};
        for (std::size_t disk = 0; disk < disks; ++disk) {
          DiskArea area(test.environment, disk, "disk",
                        {.bytes = blocks * 2 * unit,
                         .block_bytes = 2 * unit,
                         .batch_blocks = 3,
                         .depth = depth,
                         .memory_bytes = MiB});
          std::uint64_t bytes = 0;
          const auto done = [&](std::uint64_t some, double seconds) {
            bytes += some;
            CHECK(seconds >= 0);
          };
          for (const auto& ends :
               {area.write(DiskArea::Clock::now(), done), area.read(DiskArea::Clock::now(), done)}) {
            CHECK(ends.size() == (blocks + 2) / 3);
            CHECK(std::is_sorted(ends.begin(), ends.end()));
          }
          CHECK(bytes == 2 * blocks * 2 * unit);
          const RandomReads reads = area.read_at_random(50, unit, forever);
          CHECK(reads.reads == 50);
          CHECK(std::is_sorted(reads.latencies.data(), reads.latencies.data() + reads.reads));
          CHECK(area.read_at_random(50, unit, 0).reads == 0);
        }
        CHECK(test.blocks.used_bytes() == 0);
        CHECK(test.blocks.peak_bytes() == blocks * 2 * unit);
        CHECK(test.memory.used() == 0);
      }
    }
  }
}

TEST_CASE("a byte that is not what was written is an error with its place", "[blocks]") {
  TestEnvironment test;
  DiskArea area(test.environment, 0, "the disk",
                {.bytes = 16 * unit, .block_bytes = unit, .depth = 2, .memory_bytes = 4 * unit});
  area.write(DiskArea::Clock::now(), nobody());
  // The area is the first extent of its disk: page 5 becomes what page 4 is.
  const Buffer page(test.memory, unit, "page");
  test.blocks.read_unsealed({.disk = 0, .offset = 4 * unit, .bytes = unit}, {page.bytes()})->wait();
  test.blocks.write({.disk = 0, .offset = 5 * unit, .bytes = unit}, {page.bytes()})->wait();
  CHECK_THROWS_WITH(area.read(DiskArea::Clock::now(), nobody()),
                    Catch::Contains("the disk") && Catch::Contains("byte 20480 "));
  CHECK_THROWS_WITH(area.read_at_random(1000, unit, forever), Catch::Contains("byte 20480 "));
}

TEST_CASE("an area takes as many blocks as memory gives, its depth at least", "[blocks]") {
  TestEnvironment test{.memory_bytes = 40 * unit};
  const AreaShape shape{.bytes = 16 * unit, .block_bytes = unit, .depth = 8, .memory_bytes = 0};
  DiskArea(test.environment, 0, "disk", shape);
  CHECK(test.memory.peak() == (16 + 8) * unit);
  AreaShape large = shape;
  large.depth = 30;
  CHECK_THROWS_AS(DiskArea(test.environment, 0, "disk", large), MemoryLimitError);
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("an area survives every fault", "[blocks]") {
  for (const tests::Fault fault : tests::all_faults) {
    const std::uint64_t last = tests::fail_each(fault, {.memory_bytes = MiB}, [](TestEnvironment& test) {
      DiskArea area(test.environment, 0, "disk",
                    {.bytes = 6 * unit, .block_bytes = unit, .depth = 2, .memory_bytes = 4 * unit});
      area.write(DiskArea::Clock::now(), nobody());
      area.read(DiskArea::Clock::now(), nobody());
      area.read_at_random(5, unit, forever);
    });
    CHECK(last >= 4);
  }
}

TEST_CASE("space on a disk of one's choice", "[blocks]") {
  IoStatistics statistics;
  std::vector<std::unique_ptr<Disk>> disks;
  for (int i = 0; i < 3; ++i) disks.push_back(make_memory_disk(statistics, 4 * unit));
  BlockManager blocks(std::move(disks), AllocationStrategy::striping, 1, statistics);
  for (const std::size_t disk : {2, 0, 2, 1, 2}) CHECK(blocks.allocate_on(disk, unit).disk == disk);
  CHECK(blocks.used_bytes() == 5 * unit);
  const Extent last = blocks.allocate_on(2, 1);
  CHECK_THROWS_WITH(blocks.allocate_on(2, unit), Catch::Contains("full"));
  CHECK(blocks.used_bytes() == 6 * unit);
  blocks.free(last);
  CHECK(blocks.allocate_on(2, unit).offset == last.offset);
  CHECK(blocks.peak_bytes() == 6 * unit);
}

}  // namespace
}  // namespace emgraph::core
