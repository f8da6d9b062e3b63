// SPDX-License-Identifier: MIT
// Pages of large arrays: alignment, the flags that the kernel has for the memory, and what the summary says.
#include "core/memory/huge_pages.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/memory/growing_array.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/skip.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

/// What /proc/self/smaps says about the mapping that contains `address`: a line such as "VmFlags: rd wr hg".
std::string memory_fact(const void* address, const std::string& key) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    char dash = 0;
    std::istringstream text(line);
    if (text >> std::hex >> from >> dash >> to && dash == '-') here = from <= wanted && wanted < to;
    if (here && line.starts_with(key)) return line.substr(key.size()) + " ";
  }
  return "";
}

bool has_flag(const void* address, const std::string& flag) {
  return memory_fact(address, "VmFlags:").find(" " + flag + " ") != std::string::npos;
}

bool kernel_has_transparent_pages() {
  return std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled");
}

/// A directory that stands for / with the kernel's settings in it.
class Settings {
 public:
  void set(const std::string& file, const std::string& words) {
    const std::filesystem::path path = directory_.path() + "/sys/kernel/mm/transparent_hugepage/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << words << "\n";
  }
  std::string root() const { return directory_.path(); }

 private:
  tests::TemporaryDirectory directory_;
};

TEST_CASE("large arrays start at a huge page and are charged exactly, whatever the choice", "[memory]") {
  const HugePages choice = GENERATE(HugePages::automatic, HugePages::on, HugePages::off);
  CAPTURE(name(choice));
  MemoryBudget budget(256 * MiB, choice);
  std::vector<Buffer> buffers;
  std::size_t charged = 0;
  for (const std::size_t bytes : {large_array_bytes, large_array_bytes + 1, 3 * huge_page_bytes - 1,
                                  5 * MiB + 3 * page_bytes, 33 * MiB, 2 * large_array_bytes}) {
    buffers.emplace_back(budget, bytes, "array");
    charged += round_up(bytes, page_bytes);
    CHECK(budget.used() == charged);
    CHECK(reinterpret_cast<std::uintptr_t>(buffers.back().data()) % huge_page_bytes == 0);
  }
  // Sanitizers look at a byte of each page.
  const std::size_t step = tests::sized(std::size_t{1}, page_bytes);
  for (const Buffer& buffer : buffers) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < buffer.size(); i += step) {
      wrong += buffer.bytes()[i] == std::byte{0} ? 0 : 1;
      buffer.bytes()[i] = std::byte{1};
    }
    CHECK(wrong == 0);
  }
  const auto in_use = [&] {
    std::size_t sum = 0;
    for (const Buffer& buffer : buffers) {
      for (std::size_t i = 0; i < buffer.size(); i += step)
        sum += static_cast<std::size_t>(buffer.bytes()[i]);
    }
    return sum;
  };
  std::size_t bytes = 0;
  for (const Buffer& buffer : buffers) bytes += (buffer.size() + step - 1) / step;
  CHECK(in_use() == bytes);
  buffers.erase(buffers.begin(), buffers.begin() + 3);
  bytes = 0;
  for (const Buffer& buffer : buffers) bytes += (buffer.size() + step - 1) / step;
  CHECK(in_use() == bytes);
  buffers.clear();
  CHECK(budget.used() == 0);
}

TEST_CASE("auto asks for transparent huge pages for large arrays only, off refuses them for all",
          "[memory]") {
  if (!kernel_has_transparent_pages()) {
    tests::skip("the kernel has no transparent huge pages");
    return;
  }
  MemoryBudget automatic(64 * MiB);
  const Buffer large(automatic, large_array_bytes, "large");
  CHECK(has_flag(large.data(), "hg"));
  CHECK(automatic.huge_pages().figures().transparent);
  MemoryBudget untouched(64 * MiB);
  const Buffer small(untouched, large_array_bytes - 2 * page_bytes, "small");  // a guard page may follow
  CHECK(!has_flag(small.data(), "hg"));
  CHECK(!untouched.huge_pages().figures().transparent);

  MemoryBudget off(64 * MiB, HugePages::off);
  const Buffer large_off(off, large_array_bytes, "large");
  const Buffer small_off(off, page_bytes, "small");
  const GrowingArray<std::uint32_t> growing_off(off, 4 * MiB, "growing");
  CHECK(has_flag(large_off.data(), "nh"));
  CHECK(has_flag(small_off.data(), "nh"));
  CHECK(has_flag(growing_off.data(), "nh"));
  CHECK(!off.huge_pages().figures().transparent);
  CHECK(std::string(huge_pages_had(off.huge_pages()).kind) == "none");
}

TEST_CASE("on takes the whole huge pages of an array from the pool, or asks for transparent ones",
          "[memory]") {
  // needs_huge_page_pool.test.cpp is for machines whose pool has pages.
  constexpr std::size_t bytes = 5 * MiB + 3 * page_bytes;
  MemoryBudget budget(64 * MiB, HugePages::on);
  {
    const Buffer buffer(budget, bytes, "array");
    const HugePagePolicy::Figures figures = budget.huge_pages().figures();
    const bool pool = figures.hugetlb_peak_bytes > 0;
    CHECK(budget.used() == bytes);
    CHECK(figures.hugetlb_peak_bytes == (pool ? 4 * MiB : 0));
    CHECK(figures.transparent != pool);
    CHECK(figures.pool_too_small != pool);
    CHECK(has_flag(buffer.data(), "ht") == pool);
    CHECK(!has_flag(buffer.data() + bytes - 1, "ht"));
  }
  // Address space that is only reserved takes nothing from the pool.
  MemoryBudget growing(64 * MiB, HugePages::on);
  const GrowingArray<std::uint64_t> array(growing, 4 * MiB, "growing");
  CHECK(growing.huge_pages().figures().transparent);
  CHECK(!growing.huge_pages().figures().pool_too_small);
  CHECK(growing.huge_pages().figures().hugetlb_peak_bytes == 0);
}

TEST_CASE("the summary's words follow from the choice, the kernel's settings and what was mapped",
          "[memory]") {
  Settings settings;
  const auto had = [&](const HugePagePolicy& policy) {
    const HugePagesHad result = huge_pages_had(policy, settings.root());
    return std::string(result.kind) + ": " + result.reason;
  };
  HugePagePolicy automatic(HugePages::automatic);
  CHECK(had(automatic) == "none: no array of 4.00 MiB or more");
  automatic.count_transparent();
  CHECK(had(automatic) == "none: the kernel has no transparent huge pages");
  settings.set("enabled", "always madvise [never]");
  CHECK(had(automatic) == "none: /sys/kernel/mm/transparent_hugepage/enabled says never");
  settings.set("enabled", "always [madvise] never");
  CHECK(had(automatic) == "transparent: by madvise");
  settings.set("hugepages-2048kB/enabled", "always [inherit] madvise never");
  CHECK(had(automatic) == "transparent: by madvise");
  settings.set("hugepages-2048kB/enabled", "always inherit madvise [never]");
  CHECK(had(automatic) == "none: /sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled says never");
  settings.set("enabled", "always madvise [never]");
  settings.set("hugepages-2048kB/enabled", "always inherit [madvise] never");
  CHECK(had(automatic) == "transparent: by madvise");

  HugePagePolicy on(HugePages::on);
  on.count_refusal();
  on.count_transparent();
  CHECK(had(on) ==
        "transparent: the kernel's pool has too few free huge pages (vm.nr_hugepages); by madvise");
  on.take_hugetlb(6 * MiB);
  on.give_back_hugetlb(6 * MiB);
  on.take_hugetlb(4 * MiB);
  CHECK(on.figures().hugetlb_peak_bytes == 6 * MiB);
  CHECK(had(on) ==
        "hugetlb: 6.00 MiB of the kernel's pool, which is too small for all arrays "
        "(vm.nr_hugepages); transparent for other arrays");
  HugePagePolicy whole(HugePages::on);
  whole.take_hugetlb(4 * MiB);
  CHECK(had(whole) == "hugetlb: 4.00 MiB of the kernel's pool");
  HugePagePolicy off(HugePages::off);
  CHECK(had(off) == "none: --huge-pages off");
}

}  // namespace
}  // namespace emgraph::core
