// SPDX-License-Identifier: MIT
// The memory budget: never above the limit, always back to zero.
#include "core/memory/budget.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {
namespace {

TEST_CASE("reservations are added and released", "[memory]") {
  MemoryBudget budget(1000);
  {
    const Reservation a = budget.reserve(600, "a");
    CHECK(budget.used() == 600);
    CHECK(budget.available() == 400);
    CHECK_THROWS_AS(budget.reserve(401, "b"), MemoryLimitError);
    CHECK(budget.used() == 600);
    const Reservation c = budget.reserve(400, "c");
    CHECK(budget.available() == 0);
    CHECK_NOTHROW(budget.reserve(0, "nothing"));
  }
  CHECK(budget.used() == 0);
  CHECK(budget.peak() == 1000);
}

TEST_CASE("the error names what was reserved and the least limit", "[memory]") {
  MemoryBudget budget(std::size_t{4} << 20);
  const Reservation half = budget.reserve(std::size_t{2} << 20, "half");
  CHECK_THROWS_WITH(budget.reserve(std::size_t{3} << 20, "the heap"),
                    Catch::Contains("the heap") && Catch::Contains("-M 5M"));
}

TEST_CASE("a reservation between a minimum and a wish takes what is free", "[memory]") {
  MemoryBudget budget(1000);
  CHECK(budget.reserve_between(10, 500, "x").bytes() == 500);
  CHECK(budget.reserve_between(10, 5000, "x").bytes() == 1000);
  const Reservation most = budget.reserve(950, "most");
  CHECK(budget.reserve_between(10, 500, "x").bytes() == 50);
  CHECK_THROWS_AS(budget.reserve_between(51, 500, "x"), MemoryLimitError);
}

TEST_CASE("reservations move and change their size", "[memory]") {
  MemoryBudget budget(1000);
  Reservation a = budget.reserve(100, "a");
  Reservation b = std::move(a);
  CHECK(budget.used() == 100);
  b.resize(700, "b");
  CHECK(budget.used() == 700);
  CHECK_THROWS_AS(b.resize(1001, "b"), MemoryLimitError);
  CHECK(b.bytes() == 700);
  CHECK(budget.used() == 700);
  b.resize(1, "b");
  CHECK(budget.used() == 1);
  b = budget.reserve(5, "c");
  CHECK(budget.used() == 5);
  b.release();
  b.release();
  CHECK(budget.used() == 0);
  CHECK(budget.peak() == 700);
}

TEST_CASE("an injected failure comes once, at its turn", "[memory]") {
  MemoryBudget budget(1000);
  budget.fail_reservation(2);
  CHECK_NOTHROW(budget.reserve(1, "0"));
  CHECK_NOTHROW(budget.reserve(1, "1"));
  CHECK(budget.failure_is_ahead());
  CHECK_THROWS_AS(budget.reserve(1, "2"), MemoryLimitError);
  CHECK(!budget.failure_is_ahead());
  CHECK_NOTHROW(budget.reserve(1, "3"));
  CHECK(budget.used() == 0);
}

TEST_CASE("threads never get more than the limit together", "[memory]") {
  MemoryBudget budget(1000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&budget] {
      for (int i = 0; i < 2000; ++i) {
        try {
          const Reservation mine = budget.reserve(400, "mine");
        } catch (const MemoryLimitError&) {
          // expected when two others hold theirs
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(budget.used() == 0);
  CHECK(budget.peak() <= 1000);
}

TEST_CASE("buffers are zeroed, aligned and charged in whole pages", "[memory]") {
  MemoryBudget budget(1 << 20);
  {
    Buffer buffer(budget, 5000, "buffer");
    CHECK(budget.used() == 8192);
    CHECK(buffer.size() == 5000);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % page_bytes == 0);
    for (const std::byte b : buffer.bytes()) REQUIRE(b == std::byte{0});
    Buffer other = std::move(buffer);
    CHECK(buffer.data() == nullptr);
    CHECK(budget.used() == 8192);
    other = Buffer();
    CHECK(budget.used() == 0);
    CHECK_THROWS_AS(Buffer(budget, (1 << 20) + 1, "too large"), MemoryLimitError);
    const Array<std::uint32_t> array(budget, 10, "array");
    array[9] = 7;
    CHECK(array.span().back() == 7);
  }
  CHECK(budget.used() == 0);
}

}  // namespace
}  // namespace emgraph::core
