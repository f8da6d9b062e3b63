// SPDX-License-Identifier: MIT
// The arithmetic of the distribution sort's memory.
#include "core/sort/sort_plan.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {
namespace {

// Sorting pieces of about this many records keeps them in the second-level cache on most of their way.
// vqsort does 134 M keys/s at 1 M keys and 100 at 16 M (an earlier measurement, one core with AVX-512); the
// value itself was not tuned.
constexpr std::uint64_t cached_bucket_records = 512 * 1024;
// Blocks below this cost more in requests than they gain.
constexpr std::size_t small_block_bytes = 16 * KiB;
constexpr std::size_t wished_block_bytes = 256 * KiB;
constexpr std::size_t block_entry_bytes = 40;  // in the store's lists
// Hubs with attachments are merge-sorted, which works in little memory.
constexpr std::size_t least_hub_bytes = 256 * KiB;
constexpr std::size_t most_hub_bytes = 8 * MiB;
constexpr std::size_t most_buckets = 4096;
// With an unknown number of records: few enough for small inputs, enough for memory times some hundred.
constexpr std::size_t buckets_for_unknown = 256;

}  // namespace

std::size_t SortPlan::least_bytes(const SortDemand& demand) {
  return std::max<std::size_t>(demand.attachments ? MiB : 256 * KiB,
                               demand.threads * demand.record_bytes * 16 * KiB) +
         (demand.threads + 1) * demand.sort_fixed_bytes;
}

SortPlan SortPlan::make(const SortDemand& demand) {
  const std::size_t memory = demand.memory_bytes;
  if (memory < least_bytes(demand)) {
    throw MemoryLimitError("sorting needs at least " + format_size(least_bytes(demand)) + " of memory, " +
                           format_size(memory) + " are left");
  }
  SortPlan plan;
  plan.threads = demand.threads;
  plan.slots = demand.threads + 1;
  // A quarter for sorting, an eighth for the sample at the start, an eighth at most for staging, the rest for
  // blocks.
  const std::uint64_t most_bucket_records = memory / 4 / (plan.slots * demand.sort_bytes);
  // Buckets of twice the size that is sorted best are large enough, unless the input needs more of them than
  // there can be.
  std::uint64_t roomy = 2 * cached_bucket_records;
  if (demand.records) roomy = std::max(roomy, divide_up(*demand.records, most_buckets) * 4);
  plan.bucket_records = std::clamp<std::uint64_t>(demand.records ? roomy : most_bucket_records, 64,
                                                  std::max<std::uint64_t>(64, most_bucket_records));
  const std::size_t sort_arrays =
      static_cast<std::size_t>(plan.bucket_records) * plan.slots * demand.sort_bytes;
  plan.pending_records = std::clamp<std::size_t>(memory / 8 / demand.record_bytes, 64, 256 * 1024);
  const std::size_t staging_per_bucket = demand.threads * demand.group_records * demand.record_bytes;
  const std::size_t blocks_bytes = memory / 2;
  plan.hub_bytes = demand.attachments ? std::clamp(memory / 16, least_hub_bytes, most_hub_bytes) : 0;

  const std::uint64_t aim =
      std::min(cached_bucket_records, std::max<std::uint64_t>(1, plan.bucket_records / 2));
  std::uint64_t buckets = demand.records ? divide_up(*demand.records, aim) : buckets_for_unknown;
  // Blocks of a decent size bound the buckets, unless that would make buckets too large for memory.
  const auto buckets_with = [&](std::size_t block) { return blocks_bytes / (demand.threads * block * 2); };
  const std::uint64_t needed = demand.records ? divide_up(*demand.records * 2, plan.bucket_records) : 1;
  const std::uint64_t comfortable = std::max<std::uint64_t>(1, buckets_with(wished_block_bytes / 2));
  // Each block has an entry in a list; long lists of small blocks must not take more than an eighth of the
  // memory.
  const std::uint64_t packed_bytes = demand.records.value_or(0) * demand.packed_bytes;
  const std::uint64_t all_bytes = packed_bytes + packed_bytes / 16;  // ends of blocks stay empty
  const std::uint64_t listable = round_up(all_bytes / (memory / 8 / block_entry_bytes + 1) + 1, page_bytes);
  const std::size_t small_block = std::clamp<std::size_t>(
      listable, std::clamp(memory / 512, page_bytes, small_block_bytes), wished_block_bytes);
  const std::uint64_t possible = std::max<std::uint64_t>(2, buckets_with(small_block));
  buckets = std::min(buckets, std::max(comfortable, needed));
  buckets = std::min(
      {buckets, possible, std::uint64_t{most_buckets}, std::uint64_t{memory / 8 / staging_per_bucket}});
  plan.buckets = static_cast<std::size_t>(std::max<std::uint64_t>(2, buckets));

  const std::size_t open_blocks = demand.threads * (plan.buckets + 2);
  const std::size_t fair = blocks_bytes / (2 * open_blocks + 16);
  const std::size_t least = round_up(2 * demand.group_records * demand.record_bytes + 64, page_bytes);
  plan.block_bytes = std::clamp<std::size_t>(round_down(fair, page_bytes), least, wished_block_bytes);
  const std::size_t staging = staging_per_bucket * (plan.buckets + 2);
  plan.pool_bytes = memory - std::max(sort_arrays, memory / 16) - plan.slots * demand.sort_fixed_bytes -
                    std::min(memory / 8, plan.pending_records * demand.record_bytes) - staging -
                    plan.hub_bytes;
  if (demand.records) plan.pool_bytes -= all_bytes / plan.block_bytes * block_entry_bytes;
  // Nothing is gained by more blocks than the records fill.
  if (demand.records) {
    const std::uint64_t all = all_bytes + (open_blocks + 64) * plan.block_bytes;
    plan.pool_bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(plan.pool_bytes, round_up(all, plan.block_bytes)));
  }
  return plan;
}

}  // namespace emgraph::core
