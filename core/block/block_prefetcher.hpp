// SPDX-License-Identifier: MIT
// Reads several lists of blocks by one prefetch schedule for all of them.
//
// Problem: a merge consumes the blocks of its runs in an order that is known beforehand. All disks should
// work for it, with a given number of buffers. Method: the look-ahead consists of the blocks that are
// consumed next, 8 to 64 for each buffer. When half of it has been consumed, it is filled up, and a new
// schedule for it is made (PrefetchScheduler). A freed buffer is used at once for the next block of the
// schedule. Each list has a buffer of its own for the block in use; the other buffers form the pool of the
// schedule. A prediction may be wrong. If the consumer needs a block that was not requested yet, the block is
// read into the buffer that its list has just freed. So there is a buffer for every order of consumption.
// Without a prediction each list reads one block ahead for itself.
// Invariants: the entries of the look-ahead are in the order of consumption. The entries of a list are
// linked; the first of them is the list's next block, unless the prediction has not reached that block.
// Source: see prefetch_schedule.hpp.
//
// I/O: one read per block. The space of a block is free again as soon as it has been read.
// Memory: the caller's, for blocks and look-ahead; not charged: 50 bytes per list and 20 per buffer.
// Threads: one user.
// Throws: EnvironmentError from next(), after which only destruction is allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/block/prefetch_schedule.hpp"
#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "core/io/request.hpp"

namespace emgraph::core {

class BlockPrefetcher {
 public:
  /// Returns the number of the list whose block is consumed next, after the first blocks of all lists;
  /// `no_list` at the end.
  using Prediction = std::function<std::size_t()>;
  static constexpr std::size_t no_list = ~std::size_t{0};
  /// Most buffers used for prefetching.
  static constexpr std::size_t most_buffers = 1024;

  /// Starts to read. Requires: the blocks of all lists have `block_bytes` bytes; `memory` holds two blocks
  /// for each list, is aligned to a page, and outlives the prefetcher.
  BlockPrefetcher(Environment& environment, std::vector<BlockList> lists, std::size_t block_bytes,
                  std::span<std::byte> memory, Prediction prediction = {});
  BlockPrefetcher(const BlockPrefetcher&) = delete;
  ~BlockPrefetcher();

  /// The next block of a list. Requires: one is left. The span is valid until the list's next call.
  std::span<const std::byte> next(std::size_t list);

  /// Buffers used by the schedule; 0: each list reads ahead for itself.
  std::size_t scheduled_buffers() const { return buffers_; }
  /// Blocks that were needed before the schedule had requested them.
  std::uint64_t unforeseen() const { return unforeseen_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t consumed = none - 1;

  struct List {
    BlockList blocks;
    std::size_t taken = 0;      ///< blocks that next() has returned
    std::size_t predicted = 1;  ///< blocks that the prediction has reached
    std::uint32_t buffer = none;
    std::uint32_t ahead = none;        ///< without a prediction: buffer of the next block
    std::uint32_t first_entry = none;  ///< first entry of the list in the look-ahead
    std::uint32_t last_entry = none;
  };
  struct Entry {
    std::uint32_t list;
    std::uint32_t block;
    std::uint32_t next;    ///< index of the list's next entry
    std::uint32_t buffer;  ///< none: not requested; consumed: the entry is no longer in use
  };

  void start(std::span<std::byte> memory);
  void read_each_ahead();
  void advance(List& list, std::size_t block);
  void fill_look_ahead();
  void add_entry(std::size_t list_number);
  void fetch();
  void read(const List& list, std::size_t block, std::uint32_t buffer);
  void wait_ignoring_error() noexcept;
  Entry& entry(std::uint64_t number) { return entries_[number % entries_.size()]; }

  const std::size_t block_bytes_;
  Prediction prediction_;
  std::vector<List> lists_;
  std::span<std::byte> blocks_;
  std::vector<RequestPtr> requests_;  ///< by buffer
  std::vector<std::uint32_t> free_;   ///< buffers of the pool
  std::size_t buffers_ = 0;
  std::uint64_t unforeseen_ = 0;

  // The look-ahead: entries first_ … last_ - 1, in a ring.
  std::span<Entry> entries_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  // The schedule of the look-ahead, made when entry scheduled_from_ was its first.
  PrefetchScheduler scheduler_;
  std::span<std::uint32_t> disks_;
  std::span<std::uint32_t> order_;
  std::span<std::uint32_t> steps_;
  std::uint64_t scheduled_from_ = 0;
  std::size_t next_in_order_ = 0;
  std::size_t order_size_ = 0;
};

}  // namespace emgraph::core
