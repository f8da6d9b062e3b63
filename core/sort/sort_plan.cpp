// SPDX-License-Identifier: MIT
// The arithmetic of the distribution sort's memory.
#include "core/sort/sort_plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "core/spill/chain_store.hpp"

namespace emgraph::core {
namespace {

// Sorting pieces of about this many records keeps them in the second-level cache on most of their way.
// Measured: `mis --single-pass` of 131 M random edges: 1.83 CPU s with 512 Ki, 1.79 with 256 Ki; with a
// payload of 8 bytes 3.92 and 3.86 (EPYC 9004).
constexpr std::uint64_t cached_bucket_records = 256 * 1024;
constexpr std::size_t wished_block_bytes = 256 * KiB;
// The cost of reading a single block, as the bytes that the disk could write and read again in the same time:
// 47,000 reads of 4 KiB a second at depth 32, compared with sequential 1.3 GB/s read and 1.7 GB/s written
// (earlier measurements of the disk), and about the same time for the work of distributing.
constexpr double request_bytes = 12 * KiB;
// Hubs with attachments are merge-sorted, which works in little memory.
constexpr std::size_t least_hub_bytes = 256 * KiB;
constexpr std::size_t most_hub_bytes = 8 * MiB;
constexpr std::size_t most_buckets = 4096;
// For an unknown number of records: not too many for small inputs, enough for some hundred times the memory.
constexpr std::size_t buckets_for_unknown = 256;
constexpr std::size_t unknown_block_bytes = 64 * KiB;
constexpr std::size_t least_for_unknown = 16;

/// Number of buckets of up to `most` records, with a margin for the error of the sample.
std::uint64_t buckets_needed(std::uint64_t records, std::uint64_t most) {
  return divide_up(size_product(records, 3), std::max<std::uint64_t>(1, most) * 2);
}

/// The memory for blocks, their lists and staging groups.
struct Room {
  std::size_t bytes = 0;
  std::size_t staging_per_bucket = 0;
  std::size_t open_per_bucket = 1;
  std::size_t spare_blocks = 0;    ///< blocks that are loaded, read ahead or being written, and for coding
  bool known = false;              ///< the number of records is known
  std::uint64_t packed_bytes = 0;  ///< of all records, including unused ends of blocks

  std::uint64_t lists(std::size_t block) const {
    if (!known) return bytes / 16;
    return ChainStore::bookkeeping_bytes_for(packed_bytes / block);
  }
  /// The number of buckets whose open blocks of this size take half of the pool.
  std::size_t buckets_with(std::size_t block) const {
    if (lists(block) > bytes / 2) return 0;
    const std::size_t others = static_cast<std::size_t>(lists(block)) + spare_blocks * block;
    if (others >= bytes) return 0;
    const std::size_t possible = (bytes - others) / (2 * open_per_bucket * block + staging_per_bucket);
    return std::min(most_buckets, possible - std::min<std::size_t>(possible, 2));
  }
};

struct Fan {
  std::size_t buckets = 2;
  std::size_t block_bytes = 0;
  bool shared_blocks = false;  ///< see SortPlan

  /// How often records are distributed until there are `leaves` buckets.
  double levels(std::uint64_t leaves) const {
    return std::ceil(std::log(static_cast<double>(std::max<std::uint64_t>(2, leaves))) /
                         std::log(static_cast<double>(buckets)) -
                     1e-9);
  }
  double cost(std::uint64_t leaves) const {
    return levels(leaves) * (1 + request_bytes / static_cast<double>(block_bytes));
  }
};

/// Chooses the block size of least time: small blocks allow many buckets, so records are distributed few
/// times, but need more requests. Blocks are larger than wished if lists of these would take more than an
/// eighth of the memory. `leaves`: number of buckets small enough to be sorted. If the lists do not fit: two
/// buckets of large blocks.
Fan cheapest_fan(const Room& room, std::uint64_t leaves, std::size_t least_block) {
  Fan best{2, std::max(least_block, round_down(room.bytes / 2 / (room.spare_blocks + 8), page_bytes))};
  double least_cost = 0;
  std::size_t largest = std::max(least_block, wished_block_bytes);
  while (room.lists(largest) > room.bytes / 8 && largest < room.bytes / 64) largest *= 2;
  for (std::size_t block = largest;; block = std::max(least_block, round_down(block * 7 / 8, page_bytes))) {
    const std::size_t buckets = room.buckets_with(block);
    if (buckets >= 2) {
      const double cost = Fan{buckets, block}.cost(leaves);
      if (least_cost == 0 || cost < least_cost) {
        least_cost = cost;
        best = {static_cast<std::size_t>(std::min<std::uint64_t>(buckets, leaves)), block};
      }
    }
    if (block == least_block) return best;
  }
}

/// What the choice of a fan depends on.
struct FanDemand {
  std::uint64_t wish = 2;    ///< buckets of the best size for sorting
  std::uint64_t needed = 2;  ///< buckets that can be sorted in memory
  std::uint64_t roomy = 2;   ///< the number of buckets for which all blocks can have a good size
  std::size_t least_block = 0;
  std::size_t wished_block = wished_block_bytes;
};

/// With more buckets than are comfortable blocks would be too small. Needed buckets have priority, because a
/// larger bucket could not be sorted in memory. `room`: with an open block of each bucket for each thread.
Fan choose_fan(const FanDemand& demand, Room room) {
  const std::uint64_t comfortable =
      std::min<std::uint64_t>(demand.roomy, room.buckets_with(wished_block_bytes / 2));
  if (comfortable < std::max<std::uint64_t>(2, demand.needed)) {
    room.open_per_bucket = 1;
    Fan fan = cheapest_fan(room, demand.needed, demand.least_block);
    fan.shared_blocks = true;
    return fan;
  }
  Fan fan{static_cast<std::size_t>(std::clamp<std::uint64_t>(demand.wish, 2, comfortable)),
          std::max(demand.least_block, demand.wished_block)};
  while (fan.block_bytes > demand.least_block && room.buckets_with(fan.block_bytes) < fan.buckets) {
    fan.block_bytes -= page_bytes;
  }
  return fan;
}

/// The same fan, with an open block of each bucket for each thread if there is room.
Fan with_whole_room(Fan fan, const Room& room) {
  fan.shared_blocks = room.buckets_with(fan.block_bytes) < fan.buckets;
  return fan;
}

/// A fan with which a run with a quarter of the memory, or else a half, can go on: with smaller blocks, but
/// as many buckets, so that none is split again. If there is none, the fan for all of the memory. Measured:
/// sort of kron22 (67 M edges, 2 cores): a fan chosen as if there were only a quarter of -M 64M took 11 %
/// more CPU time and 1.4 times the transfers.
Fan choose_resumable_fan(const FanDemand& demand, const Room& room) {
  const Fan whole = choose_fan(demand, room);
  FanDemand as_many = demand;
  as_many.wish = as_many.needed = whole.buckets;
  for (const std::size_t divisor : {4, 2}) {
    Room part = room;
    part.bytes /= divisor;
    as_many.roomy = demand.roomy / divisor;
    const Fan fan = choose_fan(as_many, part);
    if (fan.buckets >= whole.buckets) return with_whole_room(fan, room);
  }
  return whole;
}

/// The memory, or what a bounded number of records can use: four times their bytes, and room for the blocks
/// of all buckets. Without it, a file of a few KiB would reserve all of -M.
std::size_t useful_bytes(const SortDemand& demand) {
  if (demand.records || !demand.most_records) return demand.memory_bytes;
  const std::size_t record = demand.record_bytes + demand.packed_bytes + demand.sort_bytes;
  const std::size_t room = demand.threads * buckets_for_unknown * unknown_block_bytes * 2;
  const std::uint64_t useful =
      size_sum(size_product(*demand.most_records, 4 * record), room, SortPlan::least_bytes(demand));
  return static_cast<std::size_t>(std::min<std::uint64_t>(demand.memory_bytes, useful));
}

/// Throws MemoryLimitError if there is no room for a fan that was chosen with more memory.
void require_fan(const SortDemand& demand, const SortPlan& plan, const Room& room) {
  const std::size_t needed =
      plan.coding_threads * coding_scratch_bytes(plan.block_bytes) +
      room.staging_per_bucket * (plan.buckets + 2) +
      (room.open_per_bucket * (plan.buckets + 2) + room.spare_blocks) * plan.block_bytes +
      static_cast<std::size_t>(std::min<std::uint64_t>(room.lists(plan.block_bytes), room.bytes / 2));
  if (needed <= room.bytes) return;
  throw MemoryLimitError("going on with this sort needs at least " +
                         format_size(demand.memory_bytes + 2 * (needed - room.bytes)) +
                         " of memory for sorting, " + format_size(demand.memory_bytes) +
                         " are left: its blocks were chosen with more; raise -M or lower -j");
}

/// The number of buckets for which all blocks can have a good size.
std::uint64_t roomy_buckets(const SortDemand& demand, std::size_t memory) {
  return memory / (2 * demand.threads * wished_block_bytes);
}

/// How many buckets are sorted at once, and how large they may be: a quarter of the memory is for sorting.
void plan_sorting(const SortDemand& demand, std::size_t memory, SortPlan& plan) {
  plan.slots = demand.threads + 1;
  std::uint64_t most = memory / 4 / (plan.slots * demand.sort_bytes);
  if (demand.records && demand.threads > 1 &&
      buckets_needed(*demand.records, most) > roomy_buckets(demand, memory)) {
    // Larger buckets are better than a slot for a bucket that waits while all threads are busy.
    plan.slots = demand.threads;
    most = memory / 4 / (plan.slots * demand.sort_bytes);
  }
  // Buckets need not exceed twice the best size for sorting, unless there would be too many.
  std::uint64_t wished_records = 2 * cached_bucket_records;
  if (demand.records) wished_records = std::max(wished_records, divide_up(*demand.records, most_buckets) * 4);
  plan.bucket_records = std::clamp<std::uint64_t>(demand.records ? wished_records : most, 64,
                                                  std::max<std::uint64_t>(64, most));
}

/// Plans an eighth of the memory for a sample at the start, and some for hubs. Returns the rest, which is for
/// blocks, lists and staging. Requires: plan_sorting().
Room room_beside_sorting(const SortDemand& demand, std::size_t memory, SortPlan& plan) {
  const std::size_t sort_arrays =
      static_cast<std::size_t>(plan.bucket_records) * plan.slots * demand.sort_bytes;
  plan.pending_records = std::clamp<std::size_t>(memory / 8 / demand.record_bytes, 64, 256 * 1024);
  const std::size_t pending =
      demand.sampled ? 0 : std::min(memory / 8, plan.pending_records * demand.record_bytes);
  plan.hub_bytes = demand.attachments ? std::clamp(memory / 16, least_hub_bytes, most_hub_bytes) : 0;
  const std::uint64_t packed = size_product(demand.records.value_or(0), demand.packed_bytes);
  Room room;
  room.bytes = memory - std::max(sort_arrays, memory / 16) - plan.slots * demand.sort_fixed_bytes - pending -
               plan.hub_bytes;
  room.staging_per_bucket = demand.threads * demand.group_records * demand.record_bytes;
  room.open_per_bucket = demand.threads;
  room.spare_blocks = 8 + (demand.coding ? 4 : 2) * demand.threads;
  room.known = demand.records.has_value();
  room.packed_bytes = size_sum(packed, packed / 16);
  return room;
}

/// Blocks that hold a bucket, with a margin, but not larger than wished. A search level by level sorts a few
/// records thousands of times, and each sort clears a huge page for a block of 256 KiB. Measured: 66,000
/// sorts of 16 to 3,000 records (tests/graph/bfs) took 12 s of kernel time, and take 7 s (2-core Intel Xeon).
std::size_t useful_block_bytes(const Room& room, std::uint64_t buckets) {
  if (!room.known) return wished_block_bytes;
  const std::uint64_t bytes = size_product(room.packed_bytes / std::max<std::uint64_t>(1, buckets), 2);
  return round_up(static_cast<std::size_t>(std::clamp<std::uint64_t>(bytes, 1, wished_block_bytes)),
                  page_bytes);
}

/// The buckets and their blocks. Requires: plan_sorting().
Fan plan_fan(const SortDemand& demand, std::size_t memory, const SortPlan& plan, const Room& room) {
  if (demand.fixed_block_bytes > 0) {
    return with_whole_room({demand.fixed_buckets, demand.fixed_block_bytes}, room);
  }
  const std::uint64_t aim =
      std::min(cached_bucket_records, std::max<std::uint64_t>(1, plan.bucket_records / 2));
  FanDemand of_fan;
  of_fan.wish = demand.records ? divide_up(*demand.records, aim) : buckets_for_unknown;
  of_fan.needed = demand.records ? buckets_needed(*demand.records, plan.bucket_records)
                                 : std::clamp<std::uint64_t>(room.buckets_with(unknown_block_bytes),
                                                             least_for_unknown, of_fan.wish);
  of_fan.roomy = roomy_buckets(demand, memory);
  of_fan.least_block = round_up(2 * demand.group_records * demand.record_bytes + 64, page_bytes);
  of_fan.wished_block = useful_block_bytes(room, of_fan.wish);
  return demand.resumable ? choose_resumable_fan(of_fan, room) : choose_fan(of_fan, room);
}

/// What is left of the room for blocks. Requires: the rest of the plan.
std::size_t plan_pool(const SortDemand& demand, const SortPlan& plan, const Room& room) {
  // Lists that need more than half of the memory take it from the other parts, or the memory is too small.
  const std::size_t left =
      room.bytes - plan.coding_threads * coding_scratch_bytes(plan.block_bytes) -
      room.staging_per_bucket * (plan.buckets + 2) -
      static_cast<std::size_t>(std::min<std::uint64_t>(room.lists(plan.block_bytes), room.bytes / 2));
  if (!demand.records) return left;
  // More blocks than the records fill are useless.
  const std::uint64_t all =
      size_sum(room.packed_bytes, (2 * room.open_per_bucket * (plan.buckets + 2) + 64) * plan.block_bytes);
  return static_cast<std::size_t>(std::min<std::uint64_t>(left, round_up(all, plan.block_bytes)));
}

}  // namespace

std::size_t SortPlan::least_bytes(const SortDemand& demand) {
  return std::max<std::size_t>(demand.attachments ? MiB : 256 * KiB,
                               demand.threads * demand.record_bytes * 16 * KiB) +
         (demand.threads + 1) * demand.sort_fixed_bytes;
}

SortPlan SortPlan::make(const SortDemand& demand) {
  const std::size_t memory = useful_bytes(demand);
  if (memory < least_bytes(demand)) {
    throw MemoryLimitError("sorting needs at least " + format_size(least_bytes(demand)) + " of memory, " +
                           format_size(memory) + " are left; a larger -M or fewer threads (-j) would do");
  }
  SortPlan plan;
  plan.threads = demand.threads;
  plan_sorting(demand, memory, plan);
  Room room = room_beside_sorting(demand, memory, plan);
  const Fan fan = plan_fan(demand, memory, plan, room);
  plan.buckets = fan.buckets;
  plan.block_bytes = fan.block_bytes;
  plan.shared_blocks = fan.shared_blocks;
  if (plan.shared_blocks) room.open_per_bucket = 1;
  if (demand.coding && plan.block_bytes >= least_coded_block_bytes &&
      plan.block_bytes <= ChainStore::most_coded_block_bytes) {
    plan.coding_threads = demand.threads;
  }
  if (demand.fixed_block_bytes > 0) require_fan(demand, plan, room);
  plan.pool_bytes = plan_pool(demand, plan, room);
  return plan;
}

}  // namespace emgraph::core
