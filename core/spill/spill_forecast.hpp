// SPDX-License-Identifier: MIT
// The space on the temporary disks that a run will take, known before it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/bytes.hpp"

namespace emgraph::core {

/// Bytes on the temporary disks at the same time.
struct SpillForecast {
  std::uint64_t most_bytes = 0;      ///< upper bound
  std::uint64_t expected_bytes = 0;  ///< if the data are like the sample
  std::uint64_t whole_bytes = 0;     ///< of a sort: if none of it stayed in memory

  /// Adds what lies beside it at the same time.
  void add(const SpillForecast& beside) {
    most_bytes = size_sum(most_bytes, beside.most_bytes);
    expected_bytes = size_sum(expected_bytes, beside.expected_bytes);
  }
  /// Raises both bounds to what another phase needs at least.
  void cover(std::uint64_t most, std::uint64_t expected) {
    most_bytes = std::max(most_bytes, most);
    expected_bytes = std::max(expected_bytes, expected);
  }
};

}  // namespace emgraph::core
