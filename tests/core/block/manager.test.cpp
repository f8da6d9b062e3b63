// SPDX-License-Identifier: MIT
// Extents never overlap, contents survive, space returns; full disks are skipped.
#include "core/block/manager.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "tests/core/io/pattern.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::core {
namespace {

using tests::TemporaryDirectory;
using tests::TestEnvironment;

constexpr std::size_t extent_unit = BlockManager::granularity_bytes;

// The allocated extents by disk and offset; tests whether a new one overlaps none of them.
class Oracle {
 public:
  bool add(const Extent& extent) {
    auto& ranges = held_[extent.disk];
    const auto after = ranges.lower_bound(extent.offset);
    if (after != ranges.end() && after->first < extent.offset + extent.bytes) return false;
    if (after != ranges.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second > extent.offset) return false;
    }
    ranges.emplace(extent.offset, extent.bytes);
    return true;
  }
  void remove(const Extent& extent) { held_[extent.disk].erase(extent.offset); }

 private:
  std::map<std::uint32_t, std::map<std::uint64_t, std::uint64_t>> held_;
};

TEST_CASE("extents under random allocation and release are disjoint and keep their content", "[blocks]") {
  tests::Sample sample(3);
  for (const auto strategy : {AllocationStrategy::striping, AllocationStrategy::randomized_striping,
                              AllocationStrategy::fully_random, AllocationStrategy::randomized_cycling}) {
    for (std::size_t disks = 1; disks <= 4; ++disks) {
      if (!sample.takes(1)) continue;
      TestEnvironment test{.disks = disks, .strategy = strategy};
      CHECK(test.blocks.disks() == disks);
      struct Held {
        Extent extent;
        std::uint64_t seed;
      };
      std::vector<Held> held;
      Oracle oracle;
      std::mt19937_64 random(disks);
      const Buffer buffer(test.memory, 16 * extent_unit, "buffer");
      std::uint64_t used = 0;
      std::uint64_t peak = 0;
      const auto check_and_free = [&](std::size_t i) {
        const Held block = held[i];
        held[i] = held.back();
        held.pop_back();
        const auto bytes = buffer.bytes().first(block.extent.bytes);
        REQUIRE(test.blocks.read_unsealed(block.extent, {bytes})->wait() == block.extent.bytes);
        REQUIRE(tests::is_pattern(bytes, 0, block.seed));
        oracle.remove(block.extent);
        test.blocks.free(block.extent);
        used -= block.extent.bytes;
      };
      for (int step = 0; step < 1500; ++step) {
        if (held.empty() || random() % 100 < 55) {
          const std::uint64_t bytes = 1 + random() % (16 * extent_unit);
          const Extent extent = test.blocks.allocate(bytes);
          REQUIRE(extent.bytes == round_up(bytes, extent_unit));
          REQUIRE(extent.offset % extent_unit == 0);
          REQUIRE(extent.disk < disks);
          REQUIRE(oracle.add(extent));
          const std::uint64_t seed = random();
          const auto all = buffer.bytes().first(extent.bytes);
          tests::fill_pattern(all, 0, seed);
          // Gathered from two pieces.
          test.blocks.write(extent, {all.first(extent_unit), all.subspan(extent_unit)})->wait();
          held.push_back({extent, seed});
          used += extent.bytes;
          peak = std::max(peak, used);
        } else {
          check_and_free(random() % held.size());
        }
        REQUIRE(test.blocks.used_bytes() == used);
      }
      while (!held.empty()) check_and_free(held.size() - 1);
      CHECK(test.blocks.used_bytes() == 0);
      CHECK(test.blocks.peak_bytes() == peak);
    }
  }
}

TEST_CASE("the same seed gives the same extents", "[blocks]") {
  const auto places = [](std::uint64_t seed) {
    TestEnvironment test{.disks = 4, .strategy = AllocationStrategy::fully_random, .seed = seed};
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 1; i < 100; ++i) {
      const Extent extent = test.blocks.allocate(i * 1000);
      all.push_back(extent.disk);
      all.push_back(extent.offset);
      if (i % 3 == 0) test.blocks.free(extent);
    }
    return all;
  };
  CHECK(places(1) == places(1));
  CHECK(places(1) != places(2));
}

TEST_CASE("parts of an extent can be freed", "[blocks]") {
  TestEnvironment test;
  Extent extent = test.blocks.allocate(10 * extent_unit);
  const Extent guard = test.blocks.allocate(extent_unit);
  test.blocks.free({extent.disk, extent.offset, 4 * extent_unit});
  test.blocks.free({extent.disk, extent.offset + 8 * extent_unit, 2 * extent_unit});
  CHECK(test.blocks.used_bytes() == 5 * extent_unit);
  CHECK(test.blocks.allocate(2 * extent_unit).offset == extent.offset + 8 * extent_unit);
  CHECK(test.blocks.allocate(3 * extent_unit).offset == extent.offset);
  test.blocks.free(guard);
  test.blocks.free({});
  CHECK(test.blocks.allocate(0).bytes == 0);
}

TEST_CASE("a full disk is passed over, all full is an error that names them", "[blocks]") {
  IoStatistics statistics;
  std::vector<std::unique_ptr<Disk>> disks;
  disks.push_back(make_memory_disk(statistics, 4 * extent_unit));
  disks.push_back(make_memory_disk(statistics, 100 * extent_unit));
  BlockManager blocks(std::move(disks), AllocationStrategy::striping, 1, statistics);
  std::vector<Extent> held;
  for (int i = 0; i < 52; ++i) held.push_back(blocks.allocate(2 * extent_unit));
  CHECK(std::count_if(held.begin(), held.end(), [](const Extent& e) { return e.disk == 0; }) == 2);
  CHECK_THROWS_WITH(blocks.allocate(extent_unit),
                    Catch::Contains("no space for another 4.00 KiB") && Catch::Contains("16.0 KiB in use") &&
                        Catch::Contains("400 KiB in use") && Catch::Contains("memory disk"));
  CHECK(blocks.used_bytes() == 104 * extent_unit);
  blocks.free(held[0]);
  CHECK(blocks.allocate(extent_unit).disk == 0);
  CHECK(blocks.allocate(extent_unit).disk == 0);
  CHECK_THROWS_AS(blocks.allocate(extent_unit), EnvironmentError);
}

TEST_CASE("the capacity of a disk is kept", "[blocks]") {
  IoStatistics statistics;
  const TemporaryDirectory directory;
  BlockManager blocks({{.path = directory.path(), .capacity_bytes = 3 * extent_unit + 100},
                       {.path = "", .capacity_bytes = 2 * extent_unit, .backend = DiskBackend::memory}},
                      AllocationStrategy::striping, 1, statistics);
  for (int i = 0; i < 5; ++i) blocks.allocate(extent_unit);
  CHECK_THROWS_WITH(blocks.allocate(extent_unit),
                    Catch::Contains(directory.path()) && Catch::Contains("of 12.1 KiB"));
}

TEST_CASE("what is free is what the capacities and the file systems leave", "[blocks]") {
  const TemporaryDirectory directory;
  IoStatistics statistics;
  const auto free_in = [&](std::vector<DiskSpec> disks) {
    return BlockManager(std::move(disks), AllocationStrategy::striping, 1, statistics).free_bytes();
  };
  const DiskSpec small{.path = directory.path(), .capacity_bytes = 8 * extent_unit};
  const DiskSpec whole{.path = directory.path()};
  CHECK(free_in({small}) == 8 * extent_unit);
  const std::uint64_t all = free_in({whole});
  CHECK(all > 0);
  CHECK(all < ~std::uint64_t{0});
  // A file system is counted once, however many disks stand on it. Others may write to it meanwhile.
  CHECK(free_in({whole, whole}) < all + all / 2);
  CHECK(free_in({small, whole}) > all / 2);
  CHECK(free_in({whole, small}) > all / 2);
  BlockManager blocks({small}, AllocationStrategy::striping, 1, statistics);
  const Extent extent = blocks.allocate(3 * extent_unit);
  CHECK(blocks.free_bytes() == 5 * extent_unit);
  blocks.free(extent);
  CHECK(blocks.free_bytes() == 8 * extent_unit);
}

TEST_CASE("disks in directories: lazy, nameless, checked at once", "[blocks]") {
  for (const char* parent : {"/tmp", "/dev/shm"}) {
    IoStatistics statistics;
    const TemporaryDirectory directory(parent);
    const auto make = [&](const std::string& path) {
      return BlockManager(std::vector<DiskSpec>{{.path = directory.path()}, {.path = path}},
                          AllocationStrategy::striping, 1, statistics);
    };
    CHECK_THROWS_WITH(make(directory.file("none")),
                      Catch::Contains("none") && Catch::Contains("No such file"));
    CHECK_THROWS_WITH(make(directory.write("file", "")), Catch::Contains("Not a directory"));
    CHECK_THROWS_AS(make("/proc"), EnvironmentError);
    std::filesystem::remove(directory.file("file"));

    BlockManager blocks = make(directory.path());
    MemoryBudget budget(MiB);
    const Buffer buffer(budget, 16 * extent_unit, "buffer");
    std::vector<Extent> held;
    for (std::uint64_t i = 0; i < 8; ++i) {
      held.push_back(blocks.allocate(16 * extent_unit));
      tests::fill_pattern(buffer.bytes(), 0, i);
      blocks.write(held.back(), {buffer.bytes()})->wait();
    }
    CHECK(directory.entries() == 0);
    for (std::uint64_t i = 0; i < 8; ++i) {
      CHECK(held[i].disk == i % 2);
      REQUIRE(blocks.read_unsealed(held[i], {buffer.bytes()})->wait() == 16 * extent_unit);
      REQUIRE(tests::is_pattern(buffer.bytes(), 0, i));
    }
  }
}

TEST_CASE("no disk at all is a usage error", "[blocks]") {
  IoStatistics statistics;
  CHECK_THROWS_AS(BlockManager(std::vector<DiskSpec>{}, AllocationStrategy::striping, 1, statistics),
                  UsageError);
}

TEST_CASE("a read that ends early is an error", "[blocks]") {
  IoStatistics statistics;
  // A disk whose medium is shorter than it promised.
  class Shrunk final : public Disk {
   public:
    explicit Shrunk(IoStatistics& io) : disk_(make_memory_disk(io)) {}
    RequestPtr submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) override {
      return disk_->submit(operation, offset, std::move(buffers));
    }
    void reserve_space(std::uint64_t) override {}
    const std::string& path() const override { return disk_->path(); }
    bool direct() const override { return false; }

   private:
    std::unique_ptr<Disk> disk_;
  };
  std::vector<std::unique_ptr<Disk>> disks;
  disks.push_back(std::make_unique<Shrunk>(statistics));
  BlockManager blocks(std::move(disks), AllocationStrategy::striping, 1, statistics);
  std::vector<std::byte> bytes(2 * extent_unit);
  const Extent extent = blocks.allocate(2 * extent_unit);
  blocks.write(extent, {std::span(bytes).first(extent_unit)})->wait();
  CHECK_THROWS_WITH(blocks.read_unsealed(extent, {bytes})->wait(), Catch::Contains("unexpected end"));
  CHECK(blocks.read_unsealed(extent, {std::span(bytes).first(extent_unit)})->wait() == extent_unit);
}

TEST_CASE("threads allocate and free at the same time", "[blocks]") {
  TestEnvironment test{.memory_bytes = 4 * MiB, .disks = 3};
  std::mutex mutex;
  Oracle oracle;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      std::vector<std::byte> out(4 * extent_unit);
      std::vector<std::byte> in(4 * extent_unit);
      for (std::uint64_t i = 0; i < 200; ++i) {
        const Extent extent = test.blocks.allocate((1 + random() % 4) * extent_unit);
        {
          const std::lock_guard lock(mutex);
          if (!oracle.add(extent)) ++wrong;
        }
        tests::fill_pattern(std::span(out).first(extent.bytes), 0, 1000 * t + i);
        test.blocks.write(extent, {std::span(out).first(extent.bytes)})->wait();
        test.blocks.read_unsealed(extent, {std::span(in).first(extent.bytes)})->wait();
        if (!tests::is_pattern(std::span(in).first(extent.bytes), 0, 1000 * t + i)) ++wrong;
        {
          const std::lock_guard lock(mutex);
          oracle.remove(extent);
        }
        test.blocks.free(extent);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("block manager adds up what its disks are known to write in a second") {
  const auto together = [](std::vector<std::uint64_t> limits) {
    std::vector<DiskSpec> specs;
    for (const std::uint64_t limit : limits) {
      specs.push_back({.path = "memory", .backend = DiskBackend::memory, .limit_bytes_per_second = limit});
    }
    IoStatistics statistics;
    const BlockManager blocks(std::move(specs), AllocationStrategy::striping, 1, statistics);
    return std::pair(blocks.bytes_per_second(), blocks.speed_declared());
  };
  CHECK(together({0}) == std::pair(0.0, false));
  CHECK(together({100'000'000, 50'000'000}).first == Approx(150e6));
  CHECK(together({100'000'000, 50'000'000}).second);
  CHECK(together({100'000'000, 0, 50'000'000}).first == Approx(225e6));  // as fast as the others on average
  CHECK(!together({100'000'000, 0, 50'000'000}).second);
}

TEST_CASE("data that is not what was written is refused, with disk and offset", "[blocks]") {
  IoStatistics statistics;
  std::vector<std::unique_ptr<Disk>> disks;
  disks.push_back(make_memory_disk(statistics));
  Disk& disk = *disks.front();
  BlockManager blocks(std::move(disks), AllocationStrategy::striping, 1, statistics);
  const Extent first = blocks.allocate(2 * extent_unit);
  const Extent second = blocks.allocate(2 * extent_unit);
  const auto refused = [&](const Extent& extent) {
    return disk.path() + ": offset " + std::to_string(extent.offset) + ": temporary data was changed";
  };
  MemoryBudget memory(MiB);
  Buffer out(memory, 2 * extent_unit, "test");
  Buffer in(memory, 2 * extent_unit, "test");
  for (std::size_t i = 0; i < out.size(); ++i) out.bytes()[i] = static_cast<std::byte>(i * 7);
  const Seal sealed = seal(out.bytes());

  // A write that was lost: the space holds what it held before.
  disk.write(first.offset, in.bytes())->wait();
  CHECK_THROWS_WITH(blocks.read(first, in.bytes(), sealed)->wait(), Catch::Contains(refused(first)));
  blocks.write(first, {out.bytes()})->wait();
  blocks.read(first, in.bytes(), sealed)->wait();
  CHECK(std::equal(in.bytes().begin(), in.bytes().end(), out.bytes().begin()));
  blocks.read(first, in.bytes().first(extent_unit), seal(out.bytes().first(extent_unit)))->wait();

  // Every waiting thread gets the error, and the destructor of a reader that only waits does not.
  for (const std::size_t place : {std::size_t{0}, extent_unit + 5, 2 * extent_unit - 1}) {
    std::vector<std::byte> changed(out.bytes().begin(), out.bytes().end());
    changed[place] ^= std::byte{1};
    disk.write(first.offset, changed)->wait();
    const RequestPtr request = blocks.read(first, in.bytes(), sealed);
    request->wait_ignoring_error();
    CHECK_THROWS_WITH(request->wait(), Catch::Contains(refused(first)));
    CHECK_THROWS_WITH(request->wait(), Catch::Contains(refused(first)));
  }

  // A write that went to another place.
  blocks.write(second, {out.bytes()})->wait();
  disk.write(first.offset, out.bytes())->wait();
  disk.write(second.offset, std::vector<std::byte>(2 * extent_unit))->wait();
  CHECK_THROWS_WITH(blocks.read(second, in.bytes(), sealed)->wait(), Catch::Contains(refused(second)));
}

}  // namespace
}  // namespace emgraph::core
