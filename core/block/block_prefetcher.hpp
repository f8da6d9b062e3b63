// SPDX-License-Identifier: MIT
// Reads several lists of blocks, the blocks of all of them in one prefetch schedule.
//
// Problem: a merge consumes the blocks of its runs in an order that can be told beforehand. Let all disks
// work for it, with as few buffers as there are.
// Method: the blocks that are consumed next, 8 to 64 for each buffer, make up the look-ahead; when half of it
// has been consumed it is filled up, and the schedule over it is made again (PrefetchScheduler). A buffer
// that is given back is used for the next block of the schedule at once. Each list holds a buffer of its own
// with the block in use; the others are the pool of the schedule.
// A prediction may be wrong: a block that is wanted and has not been asked for is read into the buffer that
// its list has just given back. So there is always a buffer, whatever is consumed in whatever order.
// Without a prediction each list reads one block ahead for itself.
// Invariants: the entries of the look-ahead are in the order of consumption, those of a list linked, the
// first of them being the list's next block unless no prediction has come to that one.
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
  /// The number of the list whose block is consumed next, after the first blocks of all lists; `no_list` at
  /// the end.
  using Prediction = std::function<std::size_t()>;
  static constexpr std::size_t no_list = ~std::size_t{0};
  /// More buffers than this for prefetching are not used.
  static constexpr std::size_t most_buffers = 1024;

  /// Starts to read. Requires: lists of blocks of `block_bytes` bytes; memory for two blocks of each list,
  /// aligned to a page, for as long as the prefetcher lives.
  BlockPrefetcher(Environment& environment, std::vector<BlockList> lists, std::size_t block_bytes,
                  std::span<std::byte> memory, Prediction prediction = {});
  BlockPrefetcher(const BlockPrefetcher&) = delete;
  ~BlockPrefetcher();

  /// The next block of a list. Requires: one is left. The span is valid until the list's next call.
  std::span<const std::byte> next(std::size_t list);

  /// Buffers that follow the schedule; 0 = each list reads ahead for itself.
  std::size_t scheduled_buffers() const { return buffers_; }
  /// Blocks that had to be read when they were wanted, no schedule having come to them.
  std::uint64_t unforeseen() const { return unforeseen_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t consumed = none - 1;

  struct List {
    BlockList blocks;
    std::size_t taken = 0;      ///< blocks that next() has been called for
    std::size_t predicted = 1;  ///< blocks that the prediction has come to
    std::uint32_t buffer = none;
    std::uint32_t ahead = none;        ///< buffer of the block after that, where there is no prediction
    std::uint32_t first_entry = none;  ///< of the list in the look-ahead
    std::uint32_t last_entry = none;
  };
  struct Entry {
    std::uint32_t list;
    std::uint32_t block;
    std::uint32_t next;    ///< place of the list's next entry
    std::uint32_t buffer;  ///< none = not asked for; consumed = no entry any more
  };

  void start(std::span<std::byte> memory);
  void read_each_ahead();
  void advance(List& list, std::size_t block);
  void fill_look_ahead();
  void add_entry(std::size_t list_number);
  void fetch();
  void read(const List& list, std::size_t block, std::uint32_t buffer);
  void settle() noexcept;
  Entry& entry(std::uint64_t number) { return entries_[number % entries_.size()]; }

  Environment& environment_;
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
  // The schedule over it, made when entry scheduled_from_ was the first one.
  PrefetchScheduler scheduler_;
  std::span<std::uint32_t> disks_;
  std::span<std::uint32_t> order_;
  std::span<std::uint32_t> steps_;
  std::uint64_t scheduled_from_ = 0;
  std::size_t next_in_order_ = 0;
  std::size_t order_size_ = 0;
};

}  // namespace emgraph::core
