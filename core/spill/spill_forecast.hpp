// SPDX-License-Identifier: MIT
// The space on the temporary disks that a run will take, known before it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace emgraph::core {

/// Bytes on the temporary disks at the same time.
struct SpillForecast {
  std::uint64_t most_bytes = 0;      ///< upper bound
  std::uint64_t expected_bytes = 0;  ///< if the data are like the sample
  std::uint64_t whole_bytes = 0;     ///< of a sort: if none of it stayed in memory

  /// Raises both bounds to what another phase needs at least.
  void cover(std::uint64_t most, std::uint64_t expected) {
    most_bytes = std::max(most_bytes, most);
    expected_bytes = std::max(expected_bytes, expected);
  }
};

}  // namespace emgraph::core
