// SPDX-License-Identifier: MIT
// How a sequence heap divides its memory.
#pragma once

#include <cstddef>

namespace emgraph::core {

/// Sizes in records unless the name says bytes. All parts lie in one buffer, blocks first.
struct SequenceHeapPlan {
  std::size_t block_bytes = 0;
  std::size_t writer_buffers = 0;
  std::size_t external_slots = 0;
  std::size_t insertion_heap = 0;
  std::size_t batch = 0;  ///< deletion buffer, merge scratch and greatest chunk of the insertion buffer
  std::size_t arena = 0;  ///< insertion buffer and sequences in memory
};

/// Divides `memory_bytes` for records of `record_bytes`. block_bytes 0: chosen here. Throws MemoryLimitError
/// with the least sufficient amount, UsageError for an invalid block size.
SequenceHeapPlan plan_sequence_heap(std::size_t memory_bytes, std::size_t block_bytes,
                                    std::size_t record_bytes);

}  // namespace emgraph::core
