// SPDX-License-Identifier: MIT
// The choice of --huge-pages, and which pages large arrays had.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "core/base/bytes.hpp"

namespace emgraph::core {

/// Size of a huge page, bytes.
inline constexpr std::size_t huge_page_bytes = 2 * MiB;
/// Arrays from this size on start at a huge page and can have huge pages, bytes.
inline constexpr std::size_t large_array_bytes = 2 * huge_page_bytes;

/// automatic: transparent huge pages, which the kernel gives if it has them (madvise). on: pages of the
/// kernel's pool (hugetlb, vm.nr_hugepages), transparent ones where the pool is too small. off: small pages.
enum class HugePages { automatic, on, off };
inline constexpr HugePages all_huge_page_choices[] = {HugePages::automatic, HugePages::on, HugePages::off};
/// "auto", "on", "off".
constexpr const char* name(HugePages choice) {
  return choice == HugePages::automatic ? "auto" : choice == HugePages::on ? "on" : "off";
}

/// The choice of a run and its figures. Thread-safe.
class HugePagePolicy {
 public:
  explicit HugePagePolicy(HugePages choice) : choice_(choice) {}

  /// The user's choice.
  HugePages choice() const { return choice_; }

  struct Figures {
    bool transparent = false;            ///< large arrays asked for transparent huge pages
    bool pool_too_small = false;         ///< the pool could not serve all large arrays
    std::size_t hugetlb_peak_bytes = 0;  ///< most memory of the pool held at one time
  };
  Figures figures() const { return {transparent_.load(), pool_too_small_.load(), hugetlb_peak_.load()}; }

  void count_transparent() { transparent_.store(true, std::memory_order_relaxed); }
  void count_refusal() { pool_too_small_.store(true, std::memory_order_relaxed); }
  void take_hugetlb(std::size_t bytes);
  void give_back_hugetlb(std::size_t bytes) { hugetlb_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const HugePages choice_;
  std::atomic<bool> transparent_{false};
  std::atomic<bool> pool_too_small_{false};
  std::atomic<std::size_t> hugetlb_{0};
  std::atomic<std::size_t> hugetlb_peak_{0};
};

/// Which huge pages large arrays had in a run, for the summary.
struct HugePagesHad {
  const char* kind;    ///< "transparent", "hugetlb" (perhaps both) or "none"
  std::string reason;  ///< why
};

/// Reads the kernel's settings in /sys below `root` (tests give another), which can forbid transparent huge
/// pages. Whether the kernel had free huge pages when memory was first touched is not known here.
HugePagesHad huge_pages_had(const HugePagePolicy& policy, const std::string& root = "");

}  // namespace emgraph::core
