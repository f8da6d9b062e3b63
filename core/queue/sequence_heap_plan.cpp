// SPDX-License-Identifier: MIT
// The arithmetic of the sequence heap's memory.
#include "core/queue/sequence_heap_plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/manager.hpp"

namespace emgraph::core {
namespace {

constexpr std::size_t least_slots = 4;
constexpr std::size_t most_slots = 512;
constexpr std::size_t wished_slots = 32;
constexpr std::size_t most_block_bytes = 2 * MiB;
constexpr std::size_t most_heap = 4096;
// Records that a refill takes from each sequence (batch / sequences = batch^2 / arena). So many that the
// searches in a sequence cost little per record.
constexpr double records_per_visit = 512;

/// Divides the memory; false if the parts do not fit.
bool divide(SequenceHeapPlan& plan, std::size_t memory_bytes, std::size_t record_bytes) {
  const std::size_t blocks = memory_bytes / 8 * 3 / plan.block_bytes;
  plan.writer_buffers = blocks >= 40 ? 4 : 2;
  if (blocks < plan.writer_buffers + 2 * least_slots) return false;
  plan.external_slots = std::min((blocks - plan.writer_buffers) / 2, most_slots);
  const std::size_t rest =
      (memory_bytes - (plan.writer_buffers + 2 * plan.external_slots) * plan.block_bytes) / record_bytes;
  plan.batch =
      std::min(rest / 12, static_cast<std::size_t>(std::sqrt(records_per_visit * static_cast<double>(rest))));
  plan.insertion_heap = std::min(plan.batch / 4, most_heap);
  if (plan.insertion_heap == 0) return false;
  plan.arena = rest - 2 * plan.batch - plan.insertion_heap;
  // BatchMerger needs room for two records per sequence in its output, which is at least half a batch.
  return plan.batch >= 4 * (2 * plan.arena / plan.batch + 2 + plan.external_slots);
}

std::size_t choose_block_bytes(std::size_t memory_bytes, std::size_t record_bytes) {
  std::size_t block_bytes = BlockManager::granularity_bytes;
  while (block_bytes < most_block_bytes &&
         (block_bytes < record_bytes || 2 * block_bytes * 2 * (wished_slots + 2) <= memory_bytes / 8 * 3)) {
    block_bytes *= 2;
  }
  return block_bytes;
}

}  // namespace

SequenceHeapPlan plan_sequence_heap(std::size_t memory_bytes, std::size_t block_bytes,
                                    std::size_t record_bytes) {
  if (block_bytes % BlockManager::granularity_bytes != 0) {
    throw UsageError("block size " + std::to_string(block_bytes) + " is not a multiple of " +
                     std::to_string(BlockManager::granularity_bytes));
  }
  const auto fits = [&](std::size_t bytes, SequenceHeapPlan& plan) {
    plan.block_bytes = block_bytes != 0 ? block_bytes : choose_block_bytes(bytes, record_bytes);
    return plan.block_bytes >= record_bytes && divide(plan, bytes, record_bytes);
  };
  SequenceHeapPlan plan;
  if (fits(memory_bytes, plan)) return plan;
  if (block_bytes != 0 && block_bytes < record_bytes) {
    throw UsageError("block size " + std::to_string(block_bytes) + " is less than one record of " +
                     std::to_string(record_bytes) + " bytes");
  }
  std::size_t least = memory_bytes;
  while (least < memory_bytes + 64 * GiB && !fits(least, plan)) least += std::max(64 * KiB, least / 8);
  throw MemoryLimitError("a sequence heap cannot work in " + format_size(memory_bytes) + "; it needs " +
                         format_size(least) + " for records of " + std::to_string(record_bytes) + " bytes");
}

}  // namespace emgraph::core
