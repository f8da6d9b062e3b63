// SPDX-License-Identifier: MIT
// The end of a block store that blocks are put to: when buffers run short, the last ones go to disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/io/request.hpp"
#include "core/spill/block_pool.hpp"
#include "core/spill/chain_store.hpp"

namespace emgraph::core {

/// Use: `take` a buffer, fill it, `put` it to a chain. Chains are consumed in their order, so the blocks that
/// are written are those at the ends of the last chains that have blocks in memory: what is needed first
/// stays.
///
/// Writing starts before the last buffer is gone (write-behind). The thread that finds too few buffers free
/// picks a group of blocks, codes them if the chain has a layout and coding pays (coding_choice.hpp), finds
/// space for all of them in a row and hands them to the disk as one write. It does so without the lock, so
/// several threads code at once.
///
/// I/O: each block at most once out, gathered to 1 MiB (before coding). Memory: none beside the pool's.
/// Threads: any. Throws: EnvironmentError of a failed write, from whichever call notices it first;
/// MemoryLimitError from `put` if the list of blocks cannot grow.
class ChainWriter {
 public:
  ChainWriter(Environment& environment, BlockPool& pool, ChainStore& chains);
  /// Waits for the writes in flight.
  ~ChainWriter();
  ChainWriter(const ChainWriter&) = delete;

  std::size_t block_bytes() const { return pool_.block_bytes(); }

  /// A buffer of block_bytes() to fill; waits for one if there is none.
  std::byte* take();
  /// Hands a filled buffer with `records` records to a chain.
  void put(std::size_t chain, std::byte* buffer, std::uint32_t records);
  /// Gives an unused buffer back.
  void give_back(std::byte* buffer);
  /// Writes all blocks that are in memory and waits until they are on disk. Requires: no other thread uses
  /// the store.
  void write_all();

 private:
  friend class ChainReader;
  using Lock = ChainStore::Lock;
  struct Writing {
    RequestPtr request;
    std::vector<std::byte*> buffers;
  };
  /// A block in state leaving. By its number: its list may move while the lock is not held.
  struct Leaving {
    Chain* chain;
    std::size_t number;
    std::byte* buffer;
    std::uint32_t records;
    std::size_t code_pages;
  };

  // All with the lock held; those that get it let it go in between.
  void make_room(Lock& lock);
  bool write_group(Lock& lock);
  std::vector<Leaving> pick_group();
  bool worth_coding(const Chain& chain);
  void reap_writes();
  void reap_oldest_write();
  void wait_for_oldest_write(Lock& lock);
  void wait_for_write(Lock& lock, std::uint32_t write);
  bool in_flight(std::uint32_t write) const;
  void rethrow_failure() const;

  void code(std::span<Leaving> group, std::span<std::byte> scratch);

  Environment& environment_;
  BlockPool& pool_;
  ChainStore& chains_;
  const std::size_t group_blocks_;         ///< blocks of one gathered write
  const std::size_t write_behind_blocks_;  ///< to be free, or on their way to disk

  std::deque<Writing> writing_;  ///< oldest first; numbered up to writes_started_
  std::uint64_t writes_started_ = 0;
  std::size_t writing_blocks_ = 0;
  std::size_t leaving_blocks_ = 0;
  std::exception_ptr failure_;  ///< of a write: what is read back from then on may be anything
};

}  // namespace emgraph::core
