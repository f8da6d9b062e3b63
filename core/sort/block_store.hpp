// SPDX-License-Identifier: MIT
// Chains of filled blocks, as many of them in memory as the pool holds, the others on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "core/environment.hpp"
#include "core/io/request.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// A pool of equal buffers and an ordered list of chains of blocks. Chains will be consumed in their order,
/// so when buffers run short the last chains are written out first and the first ones stay in memory.
///
/// Filling: `take` a buffer, fill it, `put` it to a chain. Consuming: `start_reading`, then for each block
/// `load`, read, `release`; disk blocks of later chains are read ahead in the meantime.
/// I/O: every block at most once out and once in; writes are gathered to at least 1 MiB; space on disk is
/// free again as soon as a block is back in memory. Threads: all functions are thread-safe, except that
/// chains are inserted by one thread alone. Throws: EnvironmentError of a failed transfer, from whichever
/// call notices it first.
class BlockStore {
 public:
  /// kept: filled, never written. written: on disk, or on its way there. reading: coming back. loaded: in use
  /// by a consumer. consumed: gone.
  enum class State : std::uint8_t { kept, written, reading, loaded, consumed };
  /// One block of a chain. There can be millions: 16 bytes.
  struct Block {
    std::uint64_t granule : 40 = 0;  ///< where it lies on disk number `disk`, in granules of the manager
    std::uint64_t disk : 16 = 0;
    State state : 7 = State::kept;
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
  };

  /// `pool_bytes` / `block_bytes` buffers, reserved now.
  BlockStore(Environment& environment, std::size_t block_bytes, std::size_t pool_bytes);
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
  /// Copies the first `to.size()` bytes (a multiple of the page size) of a block without consuming it.
  /// Returns the request to wait for, null if it is done.
  RequestPtr peek(std::size_t chain, std::size_t block, std::span<std::byte> to);

 private:
  struct Writing {
    RequestPtr request;
    std::vector<std::byte*> buffers;
  };
  void reap_writes();
  void wait_for_oldest_write();
  bool write_out_group();
  void make_free_buffer();
  Extent extent(const Block& block) const {
    return {static_cast<std::uint32_t>(block.disk), block.granule * BlockManager::granularity_bytes,
            block_bytes_};
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

  Environment& environment_;
  const std::size_t block_bytes_;
  const std::size_t pool_blocks_;
  const std::size_t group_blocks_;         ///< blocks of one gathered write
  const std::size_t write_behind_blocks_;  ///< to be free, or on their way to disk
  Buffer pool_;
  Reservation bookkeeping_;
  std::size_t bookkept_blocks_ = 0;  ///< that there is room for in lists

  std::mutex mutex_;
  std::vector<std::unique_ptr<Chain>> chains_;
  std::vector<std::byte*> free_;
  std::deque<Writing> writing_;
  std::size_t writing_blocks_ = 0;
  std::uint64_t writes_started_ = 0;
  std::vector<RequestPtr> reading_;  ///< by buffer
  std::size_t last_kept_ = 0;        ///< no chain behind it has a kept block

  // Reading ahead: position of the next block to look at, and how many blocks read are not released yet.
  std::size_t read_chain_ = 0;
  std::size_t read_block_ = 0;
  std::size_t read_last_ = 0;
  std::size_t read_ahead_blocks_ = 0;
  std::size_t read_window_blocks_ = 0;
};

}  // namespace emgraph::core
