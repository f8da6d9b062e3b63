// SPDX-License-Identifier: MIT
// How much of the free memory a sorter may take.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/base/bytes.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::core {

/// An eighth of what is free, at most 32 MiB, is left for what is reserved later: output, lists of blocks.
inline std::size_t sorter_memory(const MemoryBudget& memory) {
  const std::size_t free = memory.available();
  return free - std::min<std::size_t>(free / 8, 32 * MiB);
}

}  // namespace emgraph::core
