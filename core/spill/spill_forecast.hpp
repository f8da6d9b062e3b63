// SPDX-License-Identifier: MIT
// The space on the temporary disks that a run will take, known before it.
#pragma once

#include <cstdint>

namespace emgraph::core {

/// Bytes on the temporary disks at the same time.
struct SpillForecast {
  std::uint64_t most_bytes = 0;      ///< upper bound
  std::uint64_t expected_bytes = 0;  ///< if the data are like the sample
};

}  // namespace emgraph::core
