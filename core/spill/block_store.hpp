// SPDX-License-Identifier: MIT
// Chains of filled blocks, as many of them in memory as the pool holds, the others on disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/block/prefetch_schedule.hpp"
#include "core/environment.hpp"
#include "core/io/request.hpp"
#include "core/memory/buffer.hpp"
#include "core/spill/block_coding.hpp"

namespace emgraph::core {

/// A pool of equal buffers and an ordered list of chains of blocks. Chains will be consumed in their order,
/// so when buffers run short the last chains are written out first and the first ones stay in memory.
///
/// Filling: `take` a buffer, fill it, `put` it to a chain. Consuming: `start_reading`, then for each block
/// `load`, read, `release`; disk blocks of later chains are read ahead in the meantime.
/// Blocks of chains whose layout is known can be coded before they are written (block_coding.hpp), which a
/// slow disk is worth (coding_choice.hpp). The thread that needs room codes them, without the lock, so that
/// all threads do at once; whoever wants such a block meanwhile waits. `load` gives it decoded.
///
/// I/O: every block at most once out and once in; writes are gathered to 1 MiB, before they are coded; space
/// on disk is free again as soon as a block is back in memory. Memory: the pool, the lists, space to code in;
/// not charged: with several disks up to 80 KiB for the look-ahead of reading.
/// Threads: all functions are thread-safe, except that chains are inserted, peeked at and dropped by one
/// thread alone. Throws: EnvironmentError of a failed transfer, from whichever call notices it first.
class BlockStore {
 public:
  /// kept: filled, never written. coding: the same, while a thread codes it. written: on disk, or on its way
  /// there. reading: coming back. loaded: in use by a consumer. consumed: gone.
  enum class State : std::uint8_t { kept, coding, written, reading, loaded, consumed };
  static constexpr unsigned disk_bits = 10;
  static constexpr unsigned code_pages_bits = 10;
  /// Larger blocks are not coded.
  static constexpr std::size_t most_coded_block_bytes = page_bytes << code_pages_bits;
  /// One block of a chain. There can be millions: 16 bytes.
  struct Block {
    std::uint64_t granule : 40 = 0;  ///< where it lies on disk number `disk`, in granules of the manager
    std::uint64_t disk : disk_bits = 0;
    std::uint64_t code_pages : code_pages_bits = 0;  ///< of its code, if it is coded; 0: it is not
    State state : 3 = State::kept;
    bool read_back : 1 = false;  ///< counts in the read-ahead window until released
    /// In memory: number of its buffer. Written: the last bits of the number of the write that took it out.
    std::uint32_t place = 0;
    std::uint32_t records = 0;
  };
  static_assert(sizeof(Block) == 16);
  struct Chain {
    std::vector<Block> blocks;
    std::uint64_t records = 0;
    std::size_t kept = 0;  ///< blocks in state kept
    /// How its blocks lie in their buffers, if they may be coded. To be set before the first comes.
    std::optional<BlockLayout> layout;
  };

  /// `pool_bytes` / `block_bytes` buffers, reserved now; so many threads may code at the same time, in
  /// coding_scratch_bytes(block_bytes) each. Throws UsageError where there are more than 1024 disks.
  BlockStore(Environment& environment, std::size_t block_bytes, std::size_t pool_bytes,
             unsigned coding_threads = 0);
  ~BlockStore();
  BlockStore(const BlockStore&) = delete;

  /// Memory for the list of blocks, per block, to reckon with: with what a list holds ready to grow, and
  /// twice for a chain of a quarter of all blocks while it grows. What is there is charged as it comes.
  static constexpr std::size_t bookkeeping_bytes = 3 * sizeof(Block) / 2;
  /// In steps of this many blocks.
  static constexpr std::size_t bookkeeping_step_blocks = 256;

  std::size_t block_bytes() const { return block_bytes_; }

  /// Puts `count` empty chains before position `at`.
  void insert_chains(std::size_t at, std::size_t count);
  std::size_t chains() const { return chains_.size(); }
  Chain& chain(std::size_t position) { return *chains_[position]; }

  /// A buffer to fill; writes out blocks of the last chains if there is none.
  std::byte* take();
  /// Hands a filled buffer with `records` records to a chain.
  void put(std::size_t chain, std::byte* buffer, std::uint32_t records);
  /// Gives an unused buffer back.
  void give_back(std::byte* buffer);

  /// From now on blocks on disk are read ahead, chains `first` … `last - 1` in order.
  void start_reading(std::size_t first, std::size_t last);
  /// The block's bytes, in memory. Blocks of one chain must be loaded in order.
  const std::byte* load(std::size_t chain, std::size_t block);
  /// Frees all blocks of a chain, unread or consumed, and their list; its count of records stays.
  void drop_blocks(std::size_t chain);
  /// The block has been consumed.
  void release(std::size_t chain, std::size_t block);
  /// Copies the first page of a block, which may be coded, without consuming it. Returns the request to wait
  /// for, null if it is done.
  RequestPtr peek(std::size_t chain, std::size_t block, std::byte* to);
  /// Whether a block is coded now. For the thread that peeks.
  bool coded(std::size_t chain, std::size_t block);

 private:
  struct Writing {
    RequestPtr request;
    std::vector<std::byte*> buffers;
  };
  using Lock = std::unique_lock<std::mutex>;
  /// A block by its place in a list, which may move while the lock is not held.
  struct Victim {
    Chain* chain;
    std::size_t number;
    Block& block() const { return chain->blocks[number]; }
  };
  void reap_writes();
  void wait_for_oldest_write();
  std::vector<Victim> victims();
  bool worth_coding(const Chain& chain);
  void code(Lock& lock, std::span<const Victim> blocks);
  void decode(Lock& lock, Chain& chain, std::size_t number);
  bool write_out_group(Lock& lock);
  void make_free_buffer(Lock& lock);
  void wait_until_not_coding(Lock& lock, const Chain& chain, std::size_t number);
  /// What it takes on disk.
  std::size_t stored_bytes(const Block& block) const {
    return block.code_pages == 0 ? block_bytes_ : block.code_pages * page_bytes;
  }
  Extent extent(const Block& block) const {
    return {static_cast<std::uint32_t>(block.disk), block.granule * BlockManager::granularity_bytes,
            stored_bytes(block)};
  }
  std::byte* buffer(const Block& block) const { return pool_.data() + block.place * block_bytes_; }
  std::uint32_t number_of(const std::byte* buffer) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(buffer - pool_.data()) / block_bytes_);
  }
  void charge_lists(std::size_t blocks);
  void grow_list(Chain& chain);
  void wait_until_written(const Block& block);
  void start_read(Block& block);
  RequestPtr& reading(const Block& block) { return reading_[block.place]; }
  void read_ahead();
  Block* next_in_order();
  void start_look_ahead();
  void fill_look_ahead();
  Block* next_scheduled();

  Environment& environment_;
  const std::size_t block_bytes_;
  const std::size_t pool_blocks_;
  const std::size_t group_blocks_;         ///< blocks of one gathered write
  const std::size_t write_behind_blocks_;  ///< to be free, or on their way to disk
  Buffer pool_;
  const unsigned coding_threads_;
  Buffer scratch_;
  Reservation bookkeeping_;
  std::size_t bookkept_blocks_ = 0;  ///< that there is room for in lists

  std::mutex mutex_;
  std::condition_variable changed_;  ///< a block is not being coded any more, or scratch space is free
  std::vector<std::byte*> scratch_free_;
  std::size_t coding_blocks_ = 0;
  std::vector<std::unique_ptr<Chain>> chains_;
  std::vector<std::byte*> free_;
  std::deque<Writing> writing_;
  std::size_t writing_blocks_ = 0;
  std::uint64_t writes_started_ = 0;
  std::exception_ptr write_error_;   ///< of a write that failed: what is read back may be anything
  std::vector<RequestPtr> reading_;  ///< by buffer
  std::size_t last_kept_ = 0;        ///< no chain behind it has a kept block

  // Reading ahead: position of the next block to look at, and how many blocks read are not released yet.
  std::size_t read_chain_ = 0;
  std::size_t read_block_ = 0;
  std::size_t read_last_ = 0;
  std::size_t read_ahead_blocks_ = 0;
  std::size_t read_window_blocks_ = 0;

  // With several disks: the next blocks in the order of the chains, and the schedule by which they are read.
  struct Place {
    std::uint32_t chain;
    std::uint32_t block;
  };
  Block* block_at(const Place& place);
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
