// SPDX-License-Identifier: MIT
// Values gathered in ranges that double: 0, 1, 2-3, 4-7, …
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "graph/stats/value_histogram.hpp"

namespace emgraph::graph::stats {

struct LogBin {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t count = 0;  ///< of values from first to last
};

/// From the range of the least value to that of the largest; those between may be empty. At most 65 ranges.
inline std::vector<LogBin> log_bins(const ValueHistogram& histogram) {
  std::vector<LogBin> bins;
  histogram.for_each([&](const ValueCount& entry) {
    while (bins.empty() || bins.back().last < entry.value) {
      const int width = std::bit_width(bins.empty() ? entry.value : bins.back().last + 1);
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
