// SPDX-License-Identifier: MIT
// Free ranges of a disk against a bitmap, and the steps in which a disk grows.
#include "core/io/disk_space.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {
namespace {

TEST_CASE("exact fit before best fit, lowest offset first", "[disk_space]") {
  DiskSpace space;
  CHECK_FALSE(space.take(1));
  for (int i = 0; i < 10; ++i) space.extend(10);
  space.give(0, 30);
  space.give(40, 10);
  space.give(60, 20);
  CHECK(space.take(10) == 40);
  CHECK(space.take(20) == 60);
  CHECK(space.take(10) == 0);
  CHECK(space.take(15) == 10);
  CHECK_FALSE(space.take(6));
  CHECK(space.take(5) == 25);
  CHECK_FALSE(space.take(1));
}

TEST_CASE("neighbours merge, also with the end", "[disk_space]") {
  DiskSpace space;
  space.extend(100);
  space.give(10, 10);
  space.give(30, 10);
  space.give(20, 10);
  CHECK(space.take(30) == 10);
  space.give(10, 30);
  space.give(90, 10);
  CHECK(space.high_water_bytes() == 90);
  space.give(40, 50);
  CHECK(space.high_water_bytes() == 10);
  space.give(0, 10);
  CHECK(space.high_water_bytes() == 0);
  CHECK_FALSE(space.take(1));
}

TEST_CASE("a range can be claimed unless a part of it is in use", "[disk_space]") {
  DiskSpace space;
  CHECK(space.claim(20, 10));  // 0 to 20 are free now
  CHECK(space.high_water_bytes() == 30);
  CHECK_FALSE(space.claim(20, 10));
  CHECK_FALSE(space.claim(15, 10));
  CHECK_FALSE(space.claim(25, 10));
  CHECK(space.claim(5, 10));
  CHECK_FALSE(space.claim(0, 6));
  CHECK_FALSE(space.claim(14, 2));
  CHECK(space.claim(0, 5));
  CHECK(space.claim(15, 5));
  CHECK_FALSE(space.take(1));
  CHECK(space.claim(30, 10));
  space.give(0, 40);
  CHECK(space.high_water_bytes() == 0);
}

TEST_CASE("no unit is handed out twice and none is lost", "[disk_space]") {
  DiskSpace space;
  std::mt19937 random(11);
  std::vector<bool> taken;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> held;
  for (int step = 0; step < 20'000; ++step) {
    if (held.empty() || random() % 100 < 52) {
      const std::uint64_t units = 1 + random() % 20;
      const std::uint64_t offset = [&] {
        const std::uint64_t wish = random() % 1000;
        if (random() % 4 == 0) {
          bool free = true;
          for (std::uint64_t u = wish; u < std::min<std::uint64_t>(wish + units, taken.size()); ++u) {
            free = free && !taken[u];
          }
          REQUIRE(space.claim(wish, units) == free);
          if (free) return wish;
        }
        const auto free = space.take(units);
        return free ? *free : space.extend(units);
      }();
      if (taken.size() < offset + units) taken.resize(offset + units);
      for (std::uint64_t u = offset; u < offset + units; ++u) {
        REQUIRE_FALSE(taken[u]);
        taken[u] = true;
      }
      held.emplace_back(offset, units);
    } else {
      // The whole of a range or its front half, as a reader gives back what it has read.
      auto& [offset, units] = held[random() % held.size()];
      const std::uint64_t part = random() % 2 == 0 ? units : (units + 1) / 2;
      space.give(offset, part);
      for (std::uint64_t u = offset; u < offset + part; ++u) taken[u] = false;
      offset += part;
      units -= part;
      std::erase_if(held, [](const auto& range) { return range.second == 0; });
    }
  }
  for (const auto& [offset, units] : held) space.give(offset, units);
  CHECK(space.high_water_bytes() == 0);
}

TEST_CASE("space grows in steps, and by what is needed when a step does not fit", "[disk_space]") {
  IoStatistics statistics;
  const auto large = make_memory_disk(statistics);
  GrowingSpace space;
  space.ensure(*large, 1);
  CHECK(space.reserved_bytes() == 64 * MiB);
  space.ensure(*large, 64 * MiB);
  CHECK(space.reserved_bytes() == 64 * MiB);
  space.ensure(*large, 64 * MiB + 1);
  CHECK(space.reserved_bytes() == 128 * MiB);
  space.ensure(*large, 10 * GiB);
  space.ensure(*large, 10 * GiB + 1);
  CHECK(space.reserved_bytes() == 11 * GiB);

  GrowingSpace limited;
  limited.ensure(*large, 5000, 10'000);
  CHECK(limited.reserved_bytes() == 10'000);

  const auto small = make_memory_disk(statistics, 100'000);
  GrowingSpace tight;
  tight.ensure(*small, 60'000);
  CHECK(tight.reserved_bytes() == 60'000);
  CHECK_THROWS_AS(tight.ensure(*small, 100'001), EnvironmentError);
  CHECK(tight.reserved_bytes() == 60'000);
}

}  // namespace
}  // namespace emgraph::core
