// SPDX-License-Identifier: MIT
// Prefetch schedules against an exact search for the fewest I/O steps, and against prefetching in order.
#include "core/block/prefetch_schedule.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace emgraph::tests {
namespace {

using core::PrefetchScheduler;
using Disks = std::vector<std::uint32_t>;

struct Schedule {
  Disks order;
  Disks steps;
  std::size_t step_count = 0;
};

Schedule make_schedule(const Disks& disks, std::size_t disk_count, std::size_t buffers) {
  Schedule schedule{.order = Disks(disks.size()), .steps = Disks(disks.size())};
  PrefetchScheduler scheduler(disk_count);
  schedule.order.resize(scheduler.schedule(disks, buffers, schedule.order, schedule.steps));
  for (const std::uint32_t block : schedule.order) {
    schedule.step_count = std::max<std::size_t>(schedule.step_count, schedule.steps[block] + 1);
  }
  return schedule;
}

std::size_t consumed_of(std::uint32_t fetched) {
  return static_cast<std::size_t>(std::countr_one(fetched));
}
std::size_t in_buffers(std::uint32_t fetched) {
  return static_cast<std::size_t>(std::popcount(fetched)) - consumed_of(fetched);
}

/// The fewest steps, by search through all sets of fetched blocks from `fetched` on.
std::size_t fewest_steps(const Disks& disks, std::size_t buffers, std::uint32_t fetched = 0) {
  const std::uint32_t all = (std::uint32_t{1} << disks.size()) - 1;
  std::vector<char> seen(all + 1);
  std::vector<std::uint32_t> now = {fetched};
  for (std::size_t steps = 0;; ++steps) {
    std::vector<std::uint32_t> then;
    for (const std::uint32_t from : now) {
      if (from == all) return steps;
      for (std::uint32_t more = all & ~from; more != 0; more = (more - 1) & all & ~from) {
        std::uint32_t busy = 0;
        bool possible = in_buffers(from) + static_cast<std::size_t>(std::popcount(more)) <= buffers;
        for (std::size_t i = 0; i < disks.size() && possible; ++i) {
          if ((more >> i & 1) == 0) continue;
          possible = (busy >> disks[i] & 1) == 0;
          busy |= std::uint32_t{1} << disks[i];
        }
        if (possible && !std::exchange(seen[from | more], 1)) then.push_back(from | more);
      }
    }
    REQUIRE(!then.empty());
    now = std::move(then);
  }
}

/// The schedule's own steps keep to the disks and the buffers, and its order finds a buffer for what is
/// consumed next at any time.
void check_valid(const Disks& disks, std::size_t buffers, const Schedule& schedule) {
  std::vector<char> here(disks.size());
  std::size_t consumed = 0;
  std::size_t held = 0;
  const auto consume = [&] {
    for (; consumed < disks.size() && here[consumed]; ++consumed) --held;
  };
  for (std::size_t i = 0; i < disks.size(); ++i) here[i] = disks[i] == PrefetchScheduler::fetched;
  held = static_cast<std::size_t>(std::count(here.begin(), here.end(), 1));
  const std::vector<char> at_first = here;
  const std::size_t held_at_first = held;
  consume();
  for (const std::uint32_t block : schedule.order) {  // asynchronously: as soon as a buffer is free
    REQUIRE(held < buffers);
    REQUIRE(!here[block]);
    here[block] = 1;
    ++held;
    consume();
  }
  REQUIRE(consumed == disks.size());

  here = at_first;
  held = held_at_first;
  consumed = 0;
  consume();
  std::size_t next = 0;
  for (std::uint32_t step = 0; step < schedule.step_count; ++step) {  // in step
    std::vector<char> busy(disks.size() + 64);
    for (; next < schedule.order.size() && schedule.steps[schedule.order[next]] == step; ++next) {
      const std::uint32_t block = schedule.order[next];
      REQUIRE(!std::exchange(busy[disks[block]], 1));
      here[block] = 1;
      ++held;
    }
    REQUIRE(held <= buffers);
    consume();
  }
  REQUIRE(next == schedule.order.size());
}

/// Steps when the buffers go to the next blocks in order, each disk fetching the first of its own.
std::size_t steps_in_order(const Disks& disks, std::size_t disk_count, std::size_t buffers) {
  std::vector<char> here(disks.size());
  std::size_t consumed = 0;
  std::size_t steps = 0;
  for (; consumed < disks.size(); ++steps) {
    std::vector<char> busy(disk_count);
    for (std::size_t i = consumed; i < std::min(consumed + buffers, disks.size()); ++i) {
      if (!here[i] && !std::exchange(busy[disks[i]], 1)) here[i] = 1;
    }
    while (consumed < disks.size() && here[consumed]) ++consumed;
  }
  return steps;
}

Disks random_disks(std::size_t blocks, std::size_t disk_count, std::mt19937& random) {
  Disks disks(blocks);
  const bool clustered = random() % 2 == 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const bool as_before = clustered && i > 0 && random() % 3 > 0;
    disks[i] = as_before ? disks[i - 1] : static_cast<std::uint32_t>(random() % disk_count);
  }
  return disks;
}

TEST_CASE("prefetch schedules need the fewest steps possible") {
  std::mt19937 random(1);
  int better_than_in_order = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::size_t disk_count = 1 + random() % 3;
    const std::size_t buffers = 1 + random() % 4;
    const Disks disks = random_disks(random() % 9, disk_count, random);
    CAPTURE(disks, disk_count, buffers);
    const Schedule schedule = make_schedule(disks, disk_count, buffers);
    REQUIRE(schedule.order.size() == disks.size());
    check_valid(disks, buffers, schedule);
    REQUIRE(schedule.step_count == fewest_steps(disks, buffers));
    const std::size_t in_order = steps_in_order(disks, disk_count, buffers);
    REQUIRE(schedule.step_count <= in_order);
    better_than_in_order += schedule.step_count < in_order ? 1 : 0;
  }
  CHECK(better_than_in_order > 0);
}

TEST_CASE("prefetch schedules: a disk is late, or alone, or each has its turn") {
  const Disks late = {0, 0, 0, 0, 1, 1, 1, 1};
  CHECK(make_schedule(late, 2, 4).step_count == fewest_steps(late, 4));
  const Disks in_turn = {0, 1, 2, 0, 1, 2, 0};
  CHECK(make_schedule(in_turn, 3, 3).step_count == 3);
  CHECK(make_schedule(in_turn, 3, 1).step_count == 7);
  const Disks same = {2, 2, 2, 2};
  CHECK(make_schedule(same, 3, 4).step_count == 4);
}

TEST_CASE("prefetch schedules of one disk are the order of consumption") {
  for (const std::size_t buffers : {1, 2, 7, 100}) {
    const Schedule schedule = make_schedule(Disks(50, 0), 1, buffers);
    Disks in_order(50);
    std::iota(in_order.begin(), in_order.end(), 0U);
    CHECK(schedule.order == in_order);
  }
}

TEST_CASE("prefetch schedules of long sequences are valid and never worse than in order") {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    const std::size_t disk_count = 1 + random() % 8;
    const std::size_t buffers = 1 + random() % 40;
    const Disks disks = random_disks(random() % 3000, disk_count, random);
    CAPTURE(disks.size(), disk_count, buffers);
    const Schedule schedule = make_schedule(disks, disk_count, buffers);
    check_valid(disks, buffers, schedule);
    CHECK(schedule.step_count <= steps_in_order(disks, disk_count, buffers));
  }
}

TEST_CASE("a prefetch schedule can continue a previous one") {
  std::mt19937 random(3);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t disk_count = 1 + random() % 3;
    const std::size_t buffers = 1 + random() % 4;
    const Disks disks = random_disks(1 + random() % 8, disk_count, random);
    // A schedule over the front alone, carried out in part, the consumer as fast as can be or slower.
    const std::size_t known = 1 + random() % disks.size();
    const Schedule first = make_schedule({disks.begin(), disks.begin() + static_cast<std::ptrdiff_t>(known)},
                                         disk_count, buffers);
    std::uint32_t fetched = 0;
    for (std::size_t done = random() % (known + 1), i = 0; i < done; ++i) {
      fetched |= std::uint32_t{1} << first.order[i];
    }
    const std::size_t consumed = consumed_of(fetched);
    Disks left(disks.begin() + static_cast<std::ptrdiff_t>(consumed), disks.end());
    const std::uint32_t fetched_of_left = fetched >> consumed;
    const std::size_t fewest = left.empty() ? 0 : fewest_steps(left, buffers, fetched_of_left);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if ((fetched_of_left >> i & 1) != 0) left[i] = PrefetchScheduler::fetched;
    }
    CAPTURE(disks, left, disk_count, buffers);
    const Schedule then = make_schedule(left, disk_count, buffers);
    check_valid(left, buffers, then);
    REQUIRE(then.step_count == fewest);
  }
}

TEST_CASE("prefetch schedules put up with buffers that are all taken") {
  const std::uint32_t taken = PrefetchScheduler::fetched;
  const Schedule schedule = make_schedule({0, 1, taken, 0, taken, taken}, 2, 2);
  CHECK(schedule.order == Disks{0, 1, 3});
}

}  // namespace
}  // namespace emgraph::tests
