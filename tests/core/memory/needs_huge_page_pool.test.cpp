// SPDX-License-Identifier: MIT
// Large arrays in pages of the kernel's pool. ctest shows this file as skipped where the pool has none; root
// gives it some by `sysctl vm.nr_hugepages=16`.
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

#include "core/memory/buffer.hpp"
#include "tests/support/skip.hpp"

namespace emgraph::core {
namespace {

std::size_t free_pages() {
  std::ifstream file("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
  std::size_t pages = 0;
  file >> pages;
  return pages;
}

TEST_CASE("arrays have pages of the pool as long as it lasts, and give them back", "[memory]") {
  const std::size_t before = free_pages();
  if (before < 8 || before > 4096) {
    tests::skip("the kernel's pool has " + std::to_string(before) +
                " free huge pages, the test needs 8 to 4096");
    return;
  }
  MemoryBudget budget(std::size_t{16} << 30, HugePages::on);
  const HugePagePolicy& policy = budget.huge_pages();
  {
    Buffer two(budget, 5 * MiB, "two pages and a half");
    CHECK(free_pages() == before - 2);
    const Buffer four(budget, 8 * MiB, "four pages");
    CHECK(free_pages() == before - 6);
    CHECK(policy.figures().hugetlb_peak_bytes == 12 * MiB);
    CHECK(!policy.figures().transparent);
    two.bytes()[5 * MiB - 1] = std::byte{1};
    const Buffer moved = std::move(two);
    CHECK(moved.bytes()[5 * MiB - 1] == std::byte{1});
    CHECK(free_pages() == before - 6);

    const Buffer too_large(budget, (before - 5) * huge_page_bytes + 2 * large_array_bytes, "too large");
    CHECK(policy.figures().pool_too_small);
    CHECK(policy.figures().transparent);
    CHECK(free_pages() == before - 6);
  }
  CHECK(free_pages() == before);
  const Buffer again(budget, 4 * MiB, "two pages");
  CHECK(free_pages() == before - 2);
  CHECK(policy.figures().hugetlb_peak_bytes == 12 * MiB);
}

}  // namespace
}  // namespace emgraph::core
