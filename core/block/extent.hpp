// SPDX-License-Identifier: MIT
// The place of a block on disk.
#pragma once

#include <cstdint>

namespace emgraph::core {

/// `bytes` bytes at `offset` of disk number `disk` of a BlockManager.
struct Extent {
  std::uint32_t disk = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

}  // namespace emgraph::core
