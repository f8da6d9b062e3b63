// SPDX-License-Identifier: MIT
// The simulation of buffered writing behind a prefetch schedule.
#include "core/block/prefetch_schedule.hpp"

#include <algorithm>

namespace emgraph::core {

// next[block] links a queued block to its successor in the queue; after the output it holds the I/O step.
void PrefetchScheduler::enqueue(std::uint32_t disk, std::uint32_t block, std::span<std::uint32_t> next) {
  Queue& queue = queues_[disk];
  if (queue.size++ == 0) {
    queue.first = block;
    with_blocks_.push_back(disk);
  } else {
    next[queue.last] = block;
  }
  queue.last = block;
}

std::size_t PrefetchScheduler::schedule(std::span<const std::uint32_t> disks, std::size_t buffers,
                                        std::span<std::uint32_t> order, std::span<std::uint32_t> steps) {
  const auto count = static_cast<std::size_t>(
      std::count_if(disks.begin(), disks.end(), [](std::uint32_t disk) { return disk != fetched; }));
  std::size_t position = count;
  std::size_t pool = 0;
  std::uint32_t step = 0;
  const auto output = [&] {
    std::size_t left = 0;
    for (const std::uint32_t disk : with_blocks_) {
      Queue& queue = queues_[disk];
      const std::uint32_t block = queue.first;
      order[--position] = block;
      if (--queue.size > 0) {
        queue.first = steps[block];
        with_blocks_[left++] = disk;
      }
      steps[block] = step;
      --pool;
    }
    with_blocks_.resize(left);
    ++step;
  };
  for (std::size_t block = disks.size(); block-- > 0; ++pool) {
    if (pool >= buffers && !with_blocks_.empty()) output();
    if (disks[block] != fetched) enqueue(disks[block], static_cast<std::uint32_t>(block), steps);
  }
  while (!with_blocks_.empty()) output();
  for (const std::uint32_t block : order.first(count)) steps[block] = step - 1 - steps[block];
  return count;
}

}  // namespace emgraph::core
