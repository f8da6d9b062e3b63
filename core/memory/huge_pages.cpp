// SPDX-License-Identifier: MIT
// Figures of huge pages, and the kernel's settings.
#include "core/memory/huge_pages.hpp"

#include <sys/prctl.h>

#include <fstream>

namespace emgraph::core {

namespace {

/// The word in brackets of a line such as "always [madvise] never"; empty: there is no such file.
std::string chosen_word(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']', open);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

/// Why the kernel gives no transparent huge pages; empty: it gives them.
std::string transparent_refusal(const std::string& root) {
  const std::string directory = "/sys/kernel/mm/transparent_hugepage/";
  // Since Linux 6.8 each size has a setting of its own.
  for (const std::string& file : {directory + "hugepages-2048kB/enabled", directory + "enabled"}) {
    const std::string word = chosen_word(root + file);
    if (word == "never") return file + " says never";
    if (word.empty() || word == "inherit") continue;
    return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) > 0 ? "the process may have none (PR_SET_THP_DISABLE)" : "";
  }
  return "the kernel has no transparent huge pages";
}

}  // namespace

void HugePagePolicy::take_hugetlb(std::size_t bytes) {
  const std::size_t now = hugetlb_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::size_t peak = hugetlb_peak_.load(std::memory_order_relaxed);
  while (peak < now && !hugetlb_peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

HugePagesHad huge_pages_had(const HugePagePolicy& policy, const std::string& root) {
  if (policy.choice() == HugePages::off) return {"none", "--huge-pages off"};
  const HugePagePolicy::Figures figures = policy.figures();
  const bool hugetlb = figures.hugetlb_peak_bytes > 0;
  if (!hugetlb && !figures.transparent) {
    return {"none", "no array of " + format_size(large_array_bytes) + " or more"};
  }
  const std::string refusal = figures.transparent ? transparent_refusal(root) : "";
  std::string reason = hugetlb ? format_size(figures.hugetlb_peak_bytes) + " of the kernel's pool" : "";
  if (figures.pool_too_small) {
    reason += hugetlb ? ", which is too small for all arrays (vm.nr_hugepages)"
                      : "the kernel's pool has too few free huge pages (vm.nr_hugepages)";
  }
  if (figures.transparent) {
    reason += reason.empty() ? "" : "; ";
    reason += !refusal.empty() ? refusal : hugetlb ? "transparent for other arrays" : "by madvise";
  }
  return {hugetlb ? "hugetlb" : refusal.empty() ? "transparent" : "none", reason};
}

}  // namespace emgraph::core
