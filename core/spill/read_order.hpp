// SPDX-License-Identifier: MIT
// The order in which the blocks of chains are read ahead: that of the chains, or a prefetch schedule over it.
//
// With one disk, blocks are read in the order of the chains. With several disks a look-ahead holds the next
// written blocks in this order, eight for each buffer of the window, and PrefetchScheduler computes the order
// of their reads. The schedule is computed anew when half of it has been used. A block that is requested
// earlier, by one of several threads that work on several chains, is read at once (ChainReader::load).
//
// Invariants: the look-ahead is in the order of the chains. Entries of consumed and dropped blocks are
// skipped, and removed when the look-ahead is refilled. I/O: none. Memory: 20 bytes per block of look-ahead,
// at most 80 KiB, not charged. Threads: the lock of ChainStore guards it. Throws: std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/block/prefetch_schedule.hpp"
#include "core/spill/chain_store.hpp"

namespace emgraph::core {

class ReadOrder {
 public:
  ReadOrder(std::vector<Chain>& chains, std::size_t disks)
      : chains_(chains), disks_count_(disks), scheduler_(disks) {}

  /// Sets the order for chains `first` … `last - 1` and a reader with `window_blocks` buffers.
  void start(std::size_t first, std::size_t last, std::size_t window_blocks);
  /// The next block in state written; null if there is none. Does not change until the block leaves this
  /// state or `advance` is called.
  ChainBlock* current();
  void advance();

 private:
  struct Place {
    std::uint32_t chain;
    std::uint32_t block;
  };
  ChainBlock* current_in_order();
  ChainBlock* block_at(const Place& place);
  void fill_look_ahead();

  std::vector<Chain>& chains_;
  const std::size_t disks_count_;
  std::size_t window_blocks_ = 0;

  // The next block in the order of the chains, or the next one for the look-ahead.
  std::size_t chain_ = 0;
  std::size_t block_ = 0;
  std::size_t last_ = 0;

  std::size_t look_ahead_blocks_ = 0;  ///< 0: read in order
  std::vector<Place> look_ahead_;
  PrefetchScheduler scheduler_;
  std::vector<std::uint32_t> disks_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> steps_;
  std::size_t scheduled_ = 0;
  std::size_t next_in_schedule_ = 0;
};

}  // namespace emgraph::core
