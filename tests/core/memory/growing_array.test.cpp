// SPDX-License-Identifier: MIT
// Arrays that grow in place: charged as far as they have been reached.
#include "core/memory/growing_array.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::tests {

TEST_CASE("growing array: charged when reached, zero, never moved") {
  core::MemoryBudget budget(core::MiB);
  {
    core::GrowingArray<std::uint32_t> array(budget, std::uint64_t{1} << 32, "test");
    CHECK(budget.used() == 0);
    CHECK(array.size() == 0);
    array.reach(1000);
    CHECK(array.size() == 1000);
    CHECK(budget.used() == 4000);
    std::uint32_t* const data = array.data();
    array[999] = 7;
    array.reach(1001);  // an eighth more than asked for
    CHECK(array.size() == 1125);
    CHECK(array[1000] == 0);
    array.reach(core::MiB / 4);
    CHECK(array.size() == core::MiB / 4);
    CHECK(array.data() == data);
    CHECK(array[999] == 7);
    CHECK_THROWS_AS(array.reach(core::MiB / 4 + 1), core::MemoryLimitError);
    CHECK(array.size() == core::MiB / 4);
    array.reach(5);
    CHECK(budget.used() == core::MiB);
  }
  CHECK(budget.used() == 0);
}

TEST_CASE("growing array: takes no more than requested where an eighth more is not free") {
  core::MemoryBudget budget(core::MiB);
  core::GrowingArray<std::uint32_t> array(budget, std::uint64_t{1} << 32, "test");
  array.reach(250000);
  array.reach(250001);
  CHECK(array.size() == 250001);
  CHECK(budget.used() == 4 * 250001);
}

TEST_CASE("growing array: never exceeds the declared bound") {
  core::MemoryBudget budget(core::MiB);
  core::GrowingArray<std::uint64_t> array(budget, 1010, "test");
  array.reach(1000);
  array.reach(1001);
  CHECK(array.size() == 1010);
  const core::GrowingArray<std::uint64_t> none(budget, 0, "test");
  CHECK(none.size() == 0);
}

TEST_CASE("growing array: address space is bounded by the budget, for every declared bound") {
  core::MemoryBudget budget(core::MiB);
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  core::GrowingArray<std::uint64_t> array(budget, most, "test");
  array.reach(core::MiB / 8);
  array[core::MiB / 8 - 1] = 7;
  CHECK_THROWS_AS(array.reach(most), core::MemoryLimitError);
  CHECK_THROWS_AS(array.reach(most / 8 + 2), core::MemoryLimitError);  // 8 bytes each would wrap
  CHECK(array.size() == core::MiB / 8);
}

}  // namespace emgraph::tests
