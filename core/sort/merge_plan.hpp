// SPDX-License-Identifier: MIT
// How a merge sorter divides its memory between its two phases.
#pragma once

#include <cstddef>

namespace emgraph::core {

/// Sizes in records unless the name says bytes. Both phases: writer blocks | batch | spare | the rest, which
/// is the records of run formation or the blocks of the readers.
struct MergePlan {
  std::size_t block_bytes = 0;
  std::size_t writer_buffers = 0;
  std::size_t batch = 0;  ///< output of a merge; and as much again to merge in
  std::size_t run = 0;    ///< records of a run made in memory
  std::size_t fan_in = 0;

  std::size_t writer_bytes() const { return writer_buffers * block_bytes; }
};

/// Divides `memory_bytes` (a multiple of a page); block_bytes 0 = chosen here. Throws MemoryLimitError with
/// the least amount that would do, UsageError for a block size that no disk can have.
MergePlan plan_merge_sort(std::size_t memory_bytes, std::size_t block_bytes, std::size_t record_bytes);

}  // namespace emgraph::core
