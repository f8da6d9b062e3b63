// SPDX-License-Identifier: MIT
// The optimal order in which to fetch blocks from parallel disks, for a known order of consumption.
//
// Problem: blocks on D disks are consumed in a given order, each through one of W buffers. In an I/O step
// every disk can fetch one block. Find the order of fetching with the fewest steps. The order of consumption
// is not optimal: a disk whose next block comes late in the sequence is idle while the buffers hold blocks of
// the other disks. Method: reading is writing with time reversed. Write the blocks in reverse order into a
// pool of W buffers, with a queue for each disk. When the pool is full, output one block of each nonempty
// queue; at the end empty the queues. This lazy writing is optimal, so reading in the reverse order of its
// outputs is optimal, too. Invariants: at most W blocks are fetched and not consumed. In the resulting order,
// fewer than W blocks that are consumed later than a block x precede x. So with W buffers, each reused for
// the next block of the order as soon as it is free, the block to be consumed next is fetched already or gets
// a buffer. With one disk the order is that of the consumption. Blocks that are fetched already are never
// output in the simulation: they enter a buffer and stay there. So a new schedule of the next blocks can
// replace the previous one while that is being carried out. The second invariant still holds, because blocks
// fetched by a valid order leave a buffer for the first block that is not fetched. If the fetched blocks come
// from no valid order and fill all buffers, the rest is fetched in order. Measured: 16,384 blocks of 16 runs
// at random on 4 disks, 8, 16, 32, 64 buffers: 1.22, 1.10, 1.05, 1.03 of the steps on evenly loaded disks, in
// order 1.36, 1.20, 1.10, 1.06 (tests/bench/prefetch.bench.cpp). Hutchinson, Sanders, Vitter (2005), "Duality
// between prefetching and queued writing with parallel disks", doi 10.1137/S0097539703431573. Asynchronous
// use: Dementiev, Sanders (2003), "Asynchronous parallel disk sorting", doi 10.1145/777412.777435.
//
// I/O: none; O(L) time for L blocks.
// Memory: 12 bytes per block in arrays of the caller, who charges them; 16 per disk, not charged.
// Threads: one user.
// Throws: nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace emgraph::core {

/// Makes schedules for `disks` disks. Reusable.
class PrefetchScheduler {
 public:
  /// Stands for the disk of a block that is fetched already.
  static constexpr std::uint32_t fetched = ~std::uint32_t{0};

  explicit PrefetchScheduler(std::size_t disks) : queues_(disks) {}

  /// `disks[i]` is the disk of block i in the order of consumption, or `fetched`. Fills the front of `order`
  /// with the numbers of the blocks to fetch, in the order of fetching, and steps[i] with the I/O step, from
  /// 0 on, in which block i is fetched (undefined for fetched blocks). Returns the number of blocks to fetch.
  /// Requires: order and steps as long as disks; buffers >= 1; fewer than 2^32 - 1 blocks.
  std::size_t schedule(std::span<const std::uint32_t> disks, std::size_t buffers,
                       std::span<std::uint32_t> order, std::span<std::uint32_t> steps);

 private:
  struct Queue {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t size = 0;
  };
  void enqueue(std::uint32_t disk, std::uint32_t block, std::span<std::uint32_t> next);

  std::vector<Queue> queues_;               ///< by disk
  std::vector<std::uint32_t> with_blocks_;  ///< disks whose queue is not empty
};

}  // namespace emgraph::core
