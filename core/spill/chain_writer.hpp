// SPDX-License-Identifier: MIT
// The writing side of a block store: when few buffers are free, the blocks needed last are written to disk.
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

/// Usage: `take` a buffer, fill it, `put` it to a chain. Chains are consumed in their order. So the blocks at
/// the ends of the last chains in memory are written first, and those needed first stay in memory.
///
/// Writing starts before all buffers are used (write-behind), or from the beginning if `expect` was called.
/// The thread that finds too few free buffers, or too few blocks written, chooses a group of blocks, codes
/// them if the chain has a layout and coding saves time (coding_choice.hpp), allocates consecutive space for
/// all of them and submits them as one write. It does this without the lock, so several threads can code at
/// the same time.
///
/// I/O: writes each block at most once, in groups of 1 MiB (before coding). Memory: only the pool. Threads:
/// any. Throws: EnvironmentError of a failed write, in the first call that notices it; MemoryLimitError from
/// `put` if the list of blocks cannot grow.
class ChainWriter {
 public:
  ChainWriter(Environment& environment, BlockPool& pool, ChainStore& chains);
  /// Waits for the writes in flight.
  ~ChainWriter();
  ChainWriter(const ChainWriter&) = delete;

  std::size_t block_bytes() const { return pool_.block_bytes(); }

  /// Tells about how many blocks will be put. If the pool cannot keep them all, writing starts with the first
  /// ones, in this proportion, and not when the pool is full: so the disks are busy from the beginning.
  void expect(double blocks);
  /// Returns a buffer of block_bytes() to fill. Waits if none is free.
  std::byte* take();
  /// Appends a buffer with `records` records to a chain.
  void put(std::size_t chain, std::byte* buffer, std::uint32_t records);
  /// Returns an unused buffer.
  void give_back(std::byte* buffer);
  /// The bytes on disk when this number of blocks has been put and none has been read, if no block is coded.
  /// The other blocks are in the pool.
  std::uint64_t spilled_bytes(std::uint64_t blocks) const;
  /// True if blocks of this layout are going to be coded, as far as that is known before the first write.
  bool would_code(const BlockLayout& layout) const;
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
  /// A block in state leaving, identified by its number, because its list may move while the lock is not
  /// held.
  struct Leaving {
    Chain* chain;
    std::size_t number;
    std::byte* buffer;
    std::uint32_t records;
    std::size_t code_pages;

    ChainBlock& block() const { return chain->blocks[number]; }
  };
  /// A group that was submitted.
  struct Sent {
    struct Seals {
      Seal block;
      Seal first_page;
    };
    Extent place;
    std::vector<Seals> seals;
    Writing writing;
  };

  // Requires: the lock is held. Functions that take the lock as an argument release it for a time.
  bool behind() const;
  void make_room(Lock& lock);
  bool write_group(Lock& lock);
  std::vector<Leaving> pick_group();
  void mark_leaving(std::span<const Leaving> group);
  void mark_written(std::span<const Leaving> group, Sent sent);
  void mark_kept(std::span<const Leaving> group);
  bool worth_coding(const Chain& chain);
  void reap_writes();
  void reap_oldest_write();
  void wait_for_oldest_write(Lock& lock);
  void wait_for_write(Lock& lock, std::uint32_t write);
  bool in_flight(std::uint32_t write) const;
  void rethrow_failure() const;

  void code(std::span<Leaving> group, std::span<std::byte> scratch);
  Sent send(std::span<const Leaving> group);

  Environment& environment_;
  BlockPool& pool_;
  ChainStore& chains_;
  const std::size_t group_blocks_;         ///< blocks of one gathered write
  const std::size_t write_behind_blocks_;  ///< wanted number of blocks that are free or being written

  std::deque<Writing> writing_;  ///< oldest first; numbered up to writes_started_
  std::uint64_t writes_started_ = 0;
  std::size_t writing_blocks_ = 0;
  double share_to_write_ = 0;  ///< of the blocks that are put; 0: not known
  std::uint64_t blocks_put_ = 0;
  std::uint64_t blocks_sent_ = 0;  ///< written or leaving
  std::size_t leaving_blocks_ = 0;
  std::exception_ptr failure_;  ///< error of a write; data read afterwards may be wrong
};

}  // namespace emgraph::core
