// SPDX-License-Identifier: MIT
// Disks get their share by speed; equal ones keep the strategy's sequence to the letter.
#include "core/block/disk_shares.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/manager.hpp"
#include "core/block/write_speed.hpp"
#include "core/io/limited_disk.hpp"

namespace emgraph::core {
namespace {

constexpr std::uint64_t share_unit = BlockManager::granularity_bytes;

void set_speeds(DiskShares& shares, const std::vector<double>& speeds) {
  std::vector<DiskShares::Candidate> disks;
  for (const double speed : speeds) disks.push_back({.bytes_per_second = speed});
  shares.update(disks);
}

TEST_CASE("speed is bytes by the time in which writes were under way", "[shares]") {
  const auto at = [](int milliseconds) { return WriteSpeed::Time(std::chrono::milliseconds(milliseconds)); };
  WriteSpeed speed;
  CHECK(speed.bytes_per_second() == 0);
  // Two at a time for 200 ms, idle for 800 ms, one for 100 ms.
  speed.start(at(0));
  speed.start(at(0));
  speed.end(at(100), 8 * MiB);
  CHECK(speed.bytes_per_second() == 0);
  speed.end(at(200), 8 * MiB);
  CHECK(speed.bytes_per_second() == Approx(80.0 * MiB));
  speed.start(at(1000));
  speed.end(at(1100), 8 * MiB);
  CHECK(speed.bytes_per_second() == Approx(80.0 * MiB));
  // Another speed is what counts after some seconds of it.
  for (int i = 0; i < 100; ++i) {
    speed.start(at(2000 + 100 * i));
    speed.end(at(2100 + 100 * i), MiB);
  }
  CHECK(speed.bytes_per_second() == Approx(10.0 * MiB).epsilon(0.1));
}

TEST_CASE("equal and unknown disks are never passed over", "[shares]") {
  DiskShares shares(3);
  for (const std::vector<double>& speeds :
       {std::vector<double>{0, 0, 0}, {7, 7, 7}, {100, 0, 95}, {0, 0, 50}, {0.91, 1, 0.95}}) {
    set_speeds(shares, speeds);
    for (std::uint64_t i = 0; i < 100; ++i) REQUIRE(shares.admit(i % 3, 1 + i * i));
  }
}

TEST_CASE("bytes are shared by speed, for all strategies and sizes", "[shares]") {
  for (const AllocationStrategy strategy : all_strategies) {
    CAPTURE(name(strategy));
    const std::vector<double> speeds = {48, 96, 24, 1};
    DiskShares shares(4);
    set_speeds(shares, speeds);
    DiskSequence sequence(strategy, 4, 7);
    std::vector<double> given(4);
    for (std::uint64_t i = 0; i < 200'000; ++i) {
      // Sizes that alternate must not all go to the same disk.
      const std::uint64_t bytes = i % 2 == 0 ? 256 * share_unit : share_unit;
      std::size_t disk = sequence.next();
      while (!shares.admit(disk, bytes)) disk = sequence.next();
      given[disk] += static_cast<double>(bytes);
    }
    CHECK(given[0] / given[1] == Approx(0.5).epsilon(0.02));
    CHECK(given[2] / given[1] == Approx(0.25).epsilon(0.02));
    CHECK(given[3] / given[1] == Approx(DiskShares::least_share).epsilon(0.02));
  }
}

std::map<std::uint32_t, int> blocks_by_disk(BlockManager& blocks, int count) {
  std::map<std::uint32_t, int> by_disk;
  for (int i = 0; i < count; ++i) ++by_disk[blocks.allocate(share_unit).disk];
  return by_disk;
}

TEST_CASE("declared limits count from the first block on", "[shares]") {
  for (const AllocationStrategy strategy : all_strategies) {
    IoStatistics statistics;
    const auto spec = [](std::uint64_t limit) {
      return DiskSpec{.path = "", .backend = DiskBackend::memory, .limit_bytes_per_second = limit};
    };
    BlockManager blocks({spec(48 * MiB), spec(96 * MiB)}, strategy, 1, statistics);
    auto by_disk = blocks_by_disk(blocks, 300);
    CHECK(by_disk[0] == Approx(100).margin(strategy == AllocationStrategy::fully_random ? 20 : 1));
  }
}

TEST_CASE("a slow disk is filled to its end, and so is a fast one", "[shares]") {
  for (const AllocationStrategy strategy : all_strategies) {
    for (const std::uint64_t slow : {0, 1}) {
      IoStatistics statistics;
      std::vector<DiskSpec> specs(2, DiskSpec{.path = "", .backend = DiskBackend::memory});
      specs[slow].limit_bytes_per_second = 10 * MiB;
      specs[1 - slow].limit_bytes_per_second = 1000 * MiB;
      specs[0].capacity_bytes = 50 * share_unit;
      specs[1].capacity_bytes = 500 * share_unit;
      BlockManager blocks(std::move(specs), strategy, 1, statistics);
      auto by_disk = blocks_by_disk(blocks, 550);
      CHECK(by_disk[0] == 50);
      CHECK(by_disk[1] == 500);
      CHECK_THROWS_AS(blocks.allocate(share_unit), EnvironmentError);
    }
  }
}

TEST_CASE("the load of a full disk is spread over all the others", "[shares]") {
  IoStatistics statistics;
  std::vector<std::unique_ptr<Disk>> disks;
  for (const std::uint64_t capacity : {std::uint64_t{0}, 1000 * share_unit, 1000 * share_unit}) {
    disks.push_back(make_memory_disk(statistics, capacity));
  }
  BlockManager blocks(std::move(disks), AllocationStrategy::striping, 1, statistics);
  auto by_disk = blocks_by_disk(blocks, 300);
  CHECK(by_disk[1] == 150);
  CHECK(by_disk[2] == 150);
}

TEST_CASE("different speeds of undeclared disks are detected", "[shares]") {
  IoStatistics statistics;
  std::vector<std::unique_ptr<Disk>> disks;
  for (const std::uint64_t rate : {8 * MiB, 64 * MiB}) {
    disks.push_back(
        make_limited_disk([](IoStatistics& below) { return make_memory_disk(below); }, rate, statistics));
  }
  BlockManager blocks(std::move(disks), AllocationStrategy::striping, 1, statistics);
  const std::vector<std::byte> bytes(128 * KiB);
  std::deque<RequestPtr> in_flight;
  std::map<std::uint32_t, int> by_disk;
  for (int i = 0; i < 500; ++i) {
    const Extent extent = blocks.allocate(bytes.size());
    if (i >= 200) ++by_disk[extent.disk];
    in_flight.push_back(blocks.write(extent, {bytes}));
    if (in_flight.size() < 16) continue;
    in_flight.front()->wait();
    in_flight.pop_front();
  }
  for (const RequestPtr& request : in_flight) request->wait();
  // 33 by the speeds, 150 if they were not seen. A busy machine holds up the fast disk more than the slow
  // one.
  CHECK(by_disk[0] > 0);
  CHECK(by_disk[0] < 130);
}

}  // namespace
}  // namespace emgraph::core
