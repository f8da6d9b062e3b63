// SPDX-License-Identifier: MIT
// Counts small values in an array and large values in a map.
#include "graph/stats/value_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.hpp"

namespace emgraph::graph::stats {

ValueHistogram::ValueHistogram(core::MemoryBudget& budget)
    : budget_(budget), small_(budget, small_values, "a histogram") {}

void ValueHistogram::add_large(std::uint64_t value, std::uint64_t count) {
  const auto found = large_.find(value);
  if (found != large_.end()) {
    found->second += count;
    return;
  }
  if (large_.size() * entry_bytes == large_memory_.bytes()) {
    const std::size_t bytes = large_memory_.bytes() + charged_step * entry_bytes;
    if (large_memory_.bytes() == 0) {
      large_memory_ = budget_.reserve(bytes, "a histogram");
    } else {
      large_memory_.resize(bytes, "a histogram");
    }
  }
  large_.emplace(value, count);
}

// The sum of k different values from `small_values` on is at least k · small_values + k (k - 1) / 2.
std::uint64_t ValueHistogram::growth_bytes(std::uint64_t values, std::uint64_t sum) {
  const double least = static_cast<double>(small_values) - 0.5;
  const double most = std::sqrt(least * least + 2 * static_cast<double>(sum)) - least;
  const std::uint64_t entries = std::min(values, static_cast<std::uint64_t>(most));
  return core::round_up(core::size_product(entries, entry_bytes), charged_step * entry_bytes);
}

double ValueHistogram::mean() const {
  return total_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(total_);
}

std::uint64_t ValueHistogram::at(std::uint64_t place) const {
  std::uint64_t found = 0;
  std::uint64_t before = 0;
  for_each([&](const ValueCount& entry) {
    if (before <= place) found = entry.value;
    before += entry.count;
  });
  return found;
}

double ValueHistogram::median() const {
  if (total_ == 0) return 0;
  const auto left = static_cast<double>(at((total_ - 1) / 2));
  const auto right = static_cast<double>(at(total_ / 2));
  return left + (right - left) / 2;
}

std::uint64_t ValueHistogram::least() const {
  return total_ == 0 ? 0 : at(0);
}

std::uint64_t ValueHistogram::largest() const {
  return total_ == 0 ? 0 : at(total_ - 1);
}

}  // namespace emgraph::graph::stats
