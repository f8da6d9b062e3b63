// SPDX-License-Identifier: MIT
// How often each value occurs: of degrees, of component sizes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/base/integers.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::stats {

struct ValueCount {
  std::uint64_t value = 0;
  std::uint64_t count = 0;
  bool operator==(const ValueCount&) const = default;
};

/// Exact. Degrees of m edges, and sizes of components of m nodes, have at most 2 sqrt(m) different values.
/// Memory: 32 KiB for values below 4096, 64 bytes for each different one above. Throws: MemoryLimitError. The
/// budget outlives it.
class ValueHistogram {
 public:
  explicit ValueHistogram(core::MemoryBudget& budget);

  void add(std::uint64_t value, std::uint64_t count = 1) {
    total_ += count;
    sum_ += static_cast<core::uint128>(value) * count;
    if (value < small_values) {
      small_[static_cast<std::size_t>(value)] += count;
    } else {
      add_large(value, count);
    }
  }

  /// The most bytes that `values` values with this sum take beyond those of the constructor.
  static std::uint64_t growth_bytes(std::uint64_t values, std::uint64_t sum);

  /// Values counted.
  std::uint64_t total() const { return total_; }
  core::uint128 sum() const { return sum_; }
  /// 0 when there are none, as all below.
  double mean() const;
  /// The mean of the two in the middle if their number is even.
  double median() const;
  std::uint64_t least() const;
  std::uint64_t largest() const;
  /// Calls `take(ValueCount)` for every value that occurs, ascending.
  template <class Take>
  void for_each(Take&& take) const {
    for (std::size_t value = 0; value < small_.size(); ++value) {
      if (small_[value] > 0) take(ValueCount{value, small_[value]});
    }
    for (const auto& [value, count] : large_) take(ValueCount{value, count});
  }

 private:
  static constexpr std::size_t small_values = 4096;
  static constexpr std::size_t charged_step = 512;
  static constexpr std::size_t entry_bytes = 64;

  void add_large(std::uint64_t value, std::uint64_t count);
  std::uint64_t at(std::uint64_t place) const;

  core::MemoryBudget& budget_;
  core::Array<std::uint64_t> small_;
  core::Reservation large_memory_;
  std::map<std::uint64_t, std::uint64_t> large_;
  std::uint64_t total_ = 0;
  core::uint128 sum_ = 0;
};

/// A range of values; ranges double: 0, 1, 2-3, 4-7, …
struct LogBin {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t count = 0;  ///< of values from first to last
};

/// The histogram in such ranges, from the range of the least value to that of the largest; those between may
/// be empty. At most 65 ranges.
inline std::vector<LogBin> log_bins(const ValueHistogram& histogram) {
  std::vector<LogBin> bins;
  histogram.for_each([&](const ValueCount& entry) {
    while (bins.empty() || bins.back().last < entry.value) {
      const auto width =
          static_cast<unsigned>(std::bit_width(bins.empty() ? entry.value : bins.back().last + 1));
      if (width == 0) {
        bins.push_back({});
        continue;
      }
      const std::uint64_t first = std::uint64_t{1} << (width - 1);
      bins.push_back({first, first + (first - 1), 0});
    }
    bins.back().count += entry.count;
  });
  return bins;
}

}  // namespace emgraph::graph::stats
