// SPDX-License-Identifier: MIT
// The arithmetic of the merge sorter's memory.
#include "core/sort/merge_plan.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/manager.hpp"

namespace emgraph::core {
namespace {

constexpr std::size_t least_fan_in = 4;
constexpr std::size_t most_fan_in = 1024;
// Two levels of merging sort 64 * 64 times the memory. Larger blocks gain more than a larger fan-in.
constexpr std::size_t wished_fan_in = 64;
constexpr std::size_t most_block_bytes = 2 * MiB;
constexpr std::size_t most_batch_bytes = 512 * KiB;  // batch and spare stay in the second-level cache
// Part of the memory for ends of blocks, a record each. With blocks of at most a 256th of the memory and
// 16-byte records, 2 MiB suffice for 500 runs of 64 MiB, and 512 KiB for 64 runs of 16 MiB. Further runs have
// no ends.
constexpr std::size_t memory_per_ends = 32;
constexpr std::size_t most_ends_bytes = 4 * MiB;

bool divide(MergePlan& plan, std::size_t memory_bytes, std::size_t record_bytes, bool keep_ends) {
  if (keep_ends) {
    plan.ends_bytes =
        round_up(std::min(memory_bytes / memory_per_ends, most_ends_bytes), BlockManager::granularity_bytes);
    if (plan.ends_bytes >= memory_bytes) return false;
    memory_bytes -= plan.ends_bytes;
  }
  plan.writer_buffers = memory_bytes / plan.block_bytes >= 80 ? 4 : 2;
  const std::size_t batch_bytes = round_up(std::clamp(memory_bytes / 16, record_bytes, most_batch_bytes),
                                           BlockManager::granularity_bytes);
  plan.batch = batch_bytes / record_bytes;
  if (plan.writer_bytes() + 2 * batch_bytes >= memory_bytes) return false;
  const std::size_t rest = memory_bytes - plan.writer_bytes() - 2 * batch_bytes;
  plan.run = rest / record_bytes;
  plan.fan_in = std::min({rest / (2 * plan.block_bytes), most_fan_in, plan.batch / 2});
  return plan.fan_in >= least_fan_in && plan.run >= plan.batch;
}

std::size_t choose_block_bytes(std::size_t memory_bytes, std::size_t record_bytes) {
  std::size_t block_bytes = BlockManager::granularity_bytes;
  while (block_bytes < most_block_bytes &&
         (block_bytes < record_bytes || 2 * block_bytes * 2 * (wished_fan_in + 2) <= memory_bytes)) {
    block_bytes *= 2;
  }
  return block_bytes;
}

}  // namespace

MergePlan plan_merge_sort(std::size_t memory_bytes, std::size_t block_bytes, std::size_t record_bytes,
                          bool keep_ends) {
  if (block_bytes % BlockManager::granularity_bytes != 0) {
    throw UsageError("block size " + std::to_string(block_bytes) + " is not a multiple of " +
                     std::to_string(BlockManager::granularity_bytes));
  }
  if (block_bytes != 0 && block_bytes < record_bytes) {
    throw UsageError("block size " + std::to_string(block_bytes) + " is less than one record of " +
                     std::to_string(record_bytes) + " bytes");
  }
  const auto fits = [&](std::size_t bytes, MergePlan& plan) {
    plan.block_bytes = block_bytes != 0 ? block_bytes : choose_block_bytes(bytes, record_bytes);
    return plan.block_bytes >= record_bytes && divide(plan, bytes, record_bytes, keep_ends);
  };
  MergePlan plan;
  if (fits(memory_bytes, plan)) return plan;
  std::size_t least = memory_bytes;
  while (least < memory_bytes + 64 * GiB && !fits(least, plan)) least += std::max(64 * KiB, least / 8);
  throw MemoryLimitError("a merge sort cannot work in " + format_size(memory_bytes) + "; it needs " +
                         format_size(least) + " for records of " + std::to_string(record_bytes) + " bytes");
}

}  // namespace emgraph::core
