// SPDX-License-Identifier: MIT
// Bits that many threads set: each set once, and found in ranges.
#include "graph/atomic_bits.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "core/memory/budget.hpp"

namespace emgraph::tests {
namespace {

using graph::AtomicBits;

TEST_CASE("atomic bits: the next one of a range, across words and at its ends") {
  core::MemoryBudget budget(core::MiB);
  AtomicBits bits(budget, 300, "bits");
  CHECK(bits.next_one(0, 300) == 300);
  CHECK(bits.next_one(7, 7) == 7);
  for (const std::uint64_t i : {5U, 63U, 64U, 200U, 299U}) CHECK(bits.set(i));
  CHECK(!bits.set(64));
  std::vector<std::uint64_t> found;
  for (std::uint64_t i = bits.next_one(0, 300); i < 300; i = bits.next_one(i + 1, 300)) found.push_back(i);
  CHECK(found == std::vector<std::uint64_t>{5, 63, 64, 200, 299});
  CHECK(bits.next_one(65, 200) == 200);
  CHECK(bits.next_one(6, 63) == 63);
  CHECK(!bits.any_one(65, 200));
  CHECK(bits.any_one(65, 201));
  CHECK(bits.any_zero(63, 66));
  CHECK(!bits.any_zero(63, 65));
  bits.reset(64);
  CHECK(!bits.test(64));
  CHECK(bits.test(63));
  CHECK(bits.set(64, std::memory_order_seq_cst));
}

TEST_CASE("atomic bits: of several threads one sets a bit first") {
  core::MemoryBudget budget(core::MiB);
  constexpr std::uint64_t size = 2000;
  AtomicBits bits(budget, size, "bits");
  std::vector<std::uint64_t> first(4);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t& mine : first) {
      threads.emplace_back([&] {
        for (std::uint64_t i = 0; i < size; ++i) mine += bits.set(i) ? 1 : 0;
      });
    }
  }
  CHECK(first[0] + first[1] + first[2] + first[3] == size);
  CHECK(!bits.any_zero(0, size));
}

}  // namespace
}  // namespace emgraph::tests
