// SPDX-License-Identifier: MIT
// The optimal order in which to fetch blocks from parallel disks that will be consumed in a known order.
//
// Problem: blocks on D disks are consumed in a given order, each through one of W buffers. In an I/O step
// every disk can fetch one block. In which order are they to be fetched, so that the steps are fewest?
// In order is not optimal: a disk that has its next block late in the sequence idles while the buffers are
// kept for blocks of the others.
// Method: reading is writing with time reversed. Imagine the blocks written in reverse order into a pool of W
// buffers, with a queue per disk; whenever the pool is full, one block of each queue that is not empty is
// output; at the end the queues are emptied. That lazy way of writing is optimal, and so is reading in the
// reverse order of its outputs.
// Invariants: no more than W blocks are fetched and not consumed. In the order that comes out, fewer than W
// blocks that are consumed later than a block stand before it: with W buffers, each used for the next block
// of the order as soon as it is free, the block to be consumed next has been fetched or finds a buffer. With
// one disk the order is that of the consumption.
// A block that has been fetched already is never output: it is written into a buffer, and stays there. So a
// schedule over the next blocks can take the place of the one before while this is being carried out. The
// second invariant survives that, for what has been fetched by a valid order leaves a buffer for the first
// block that has not. If it was fetched by no valid order and fills all buffers, the rest is in order.
// Measured: 16,384 blocks of 16 runs at random on 4 disks, 8, 16, 32, 64 buffers: 1.22, 1.10, 1.05, 1.03 of
// the steps on evenly loaded disks, in order 1.36, 1.20, 1.10, 1.06 (tests/bench/prefetch.bench.cpp).
// Hutchinson, Sanders, Vitter (2005), "Duality between prefetching and queued writing with parallel disks",
// doi 10.1137/S0097539703431573. Asynchronous use: Dementiev, Sanders (2003), "Asynchronous parallel disk
// sorting", doi 10.1145/777412.777435.
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
  /// Instead of the disk: the block has a buffer already.
  static constexpr std::uint32_t fetched = ~std::uint32_t{0};

  explicit PrefetchScheduler(std::size_t disks) : queues_(disks) {}

  /// `disks[i]` is where block i of the order of consumption lies. Fills the front of `order` with the
  /// numbers of the blocks to fetch, first the one to fetch first, and steps[i] with the I/O step, from 0 on,
  /// in which block i is fetched (left undefined for those fetched). Requires: order and steps as long as
  /// disks; buffers >= 1; fewer than 2^32 - 1 blocks. Returns how many there are to fetch.
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
