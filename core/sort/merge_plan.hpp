// SPDX-License-Identifier: MIT
// How a merge sorter divides its memory between its two phases.
#pragma once

#include <cstddef>

namespace emgraph::core {

/// Sizes in records unless the name says bytes. Both phases: ends of blocks | writer blocks | the rest, which
/// is the records of run formation or the blocks of the readers | spare | batch.
struct MergePlan {
  std::size_t block_bytes = 0;
  std::size_t ends_bytes = 0;  ///< for last records of blocks (BlockEnds)
  std::size_t writer_buffers = 0;
  std::size_t batch = 0;  ///< output of a merge; and as much again to merge in
  std::size_t run = 0;    ///< records of a run made in memory
  std::size_t fan_in = 0;

  std::size_t writer_bytes() const { return writer_buffers * block_bytes; }
};

/// Divides `memory_bytes` (a multiple of a page); block_bytes 0 = chosen here. Throws MemoryLimitError with
/// the least amount that would do, UsageError for a block size that no disk can have. Who merges runs without
/// the ends of their blocks needs no room for them: `keep_ends` false.
MergePlan plan_merge_sort(std::size_t memory_bytes, std::size_t block_bytes, std::size_t record_bytes,
                          bool keep_ends = false);

}  // namespace emgraph::core
