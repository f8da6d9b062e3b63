// SPDX-License-Identifier: MIT
// The division of a merge sorter's memory in its two phases.
#pragma once

#include <cstddef>

namespace emgraph::core {

/// Sizes in records unless the name says bytes. The layout in both phases: ends of blocks | writer blocks |
/// records of run formation, or blocks of the readers | spare | batch.
struct MergePlan {
  std::size_t block_bytes = 0;
  std::size_t ends_bytes = 0;  ///< for last records of blocks (BlockEnds)
  std::size_t writer_buffers = 0;
  std::size_t batch = 0;  ///< output of a merge; the scratch space of a merge has the same size
  std::size_t run = 0;    ///< records of a run formed in memory
  std::size_t fan_in = 0;

  std::size_t writer_bytes() const { return writer_buffers * block_bytes; }
};

/// Divides `memory_bytes` (a multiple of a page). block_bytes 0: chosen here. `keep_ends`: reserves space for
/// the ends of blocks. Throws MemoryLimitError with the least sufficient amount, UsageError for an invalid
/// block size.
MergePlan plan_merge_sort(std::size_t memory_bytes, std::size_t block_bytes, std::size_t record_bytes,
                          bool keep_ends = false);

}  // namespace emgraph::core
