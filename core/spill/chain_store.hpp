// SPDX-License-Identifier: MIT
// Chains: an ordered sequence of lists of blocks, each block in memory or on disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/spill/block_coding.hpp"

namespace emgraph::core {

/// One block of a chain. There can be millions: 16 bytes. A field that is added (a checksum of the stored
/// bytes, say) is charged with the rest, by ChainStore::bookkeeping_bytes, and finds 32 bits free for it in
/// the manifest.
struct ChainBlock {
  /// kept: filled, in memory. leaving: a thread codes it or writes it out, without the lock. written: on disk
  /// or on its way there. reading: on its way back. loaded: a consumer uses it. consumed: gone.
  enum class State : std::uint8_t { kept, leaving, written, reading, loaded, consumed };
  static constexpr unsigned granule_bits = 40;
  static constexpr unsigned disk_bits = 10;
  static constexpr unsigned code_pages_bits = 10;

  std::uint64_t granule : granule_bits = 0;        ///< offset on its disk / BlockManager::granularity_bytes
  std::uint64_t disk : disk_bits = 0;              ///< number of its disk
  std::uint64_t code_pages : code_pages_bits = 0;  ///< length of its code, pages; 0: it is not coded
  State state : 3 = State::kept;
  /// In memory: the number of its buffer. Written: the last bits of the number of the write that took it out.
  std::uint32_t place = 0;
  std::uint32_t records = 0;
};
static_assert(sizeof(ChainBlock) == 16);

/// A list of blocks, as ChainWriter and ChainReader see it.
struct Chain {
  std::vector<ChainBlock> blocks;
  std::uint64_t records = 0;
  std::size_t kept = 0;               ///< blocks in state kept
  std::optional<BlockLayout> layout;  ///< how records lie in its blocks, if these may be coded
};

/// What a caller sees of a chain, as it was at the time of the call.
struct ChainView {
  std::uint64_t records = 0;
  std::size_t blocks = 0;
};

/// The lists of all chains, the memory that they take, the space of their blocks on disk, and the lock of a
/// block store.
///
/// The lock guards the lists, the pool's free lists, and what writer and reader know of transfers. It is held
/// for bookkeeping and to hand a read to a disk; no thread holds it while it codes a block, allocates space
/// on disk, or waits for a transfer.
///
/// Memory: the lists, charged as they grow. Threads: any, but `insert`, `restore` and `keep_space` need the
/// store for themselves, for they change the positions of chains. Throws: MemoryLimitError.
class ChainStore {
 public:
  /// Larger blocks are not coded: the length of the code would not fit in ChainBlock.
  static constexpr std::size_t most_coded_block_bytes = page_bytes << ChainBlock::code_pages_bits;
  /// What a plan should reckon with per block: with the room that a list has left to grow, and with twice a
  /// chain of a quarter of all blocks while it is moved to a larger list. What is there is charged as it
  /// comes.
  static constexpr std::size_t bookkeeping_bytes = 3 * sizeof(ChainBlock) / 2;
  /// The charge grows in steps of so many blocks.
  static constexpr std::size_t bookkeeping_step_blocks = 256;

  /// Throws UsageError if there are more than 1024 disks.
  ChainStore(Environment& environment, std::size_t block_bytes);
  /// Gives the space of all blocks on disk back, unless keep_space() was called.
  ~ChainStore();
  ChainStore(const ChainStore&) = delete;

  /// Puts `count` empty chains before position `at`.
  void insert(std::size_t at, std::size_t count);
  /// The same for chains whose blocks may be coded.
  void insert(std::size_t at, std::span<const BlockLayout> layouts);
  std::size_t size() const;
  ChainView view(std::size_t chain) const;

  /// The chains as bytes: which blocks on disk each of them has, with place, length, coding and records.
  /// Consumed blocks are left out; a chain's count of records is written as it is. The layout of the bytes is
  /// in chain_manifest.cpp. Requires: ChainWriter::write_all() has been called, nothing was put or read since
  /// then (else std::logic_error).
  void write_manifest(const std::function<void(std::span<const std::byte>)>& put) const;
  /// From now on nothing may be put or loaded, and the destructor leaves the space on disk in use: whoever
  /// restores the manifest owns it.
  void keep_space() { keep_space_ = true; }
  /// Chains from a manifest, over the same disks: claims the space of their blocks from the block manager.
  /// `get` fills the span or throws. Requires: no chains yet; a manager that has the disks of the one under
  /// which the manifest was written, in the same order. Throws DataError if the bytes are no manifest for
  /// blocks of this size, EnvironmentError if some of the space is in use.
  void restore(const std::function<void(std::span<std::byte>)>& get);

 private:
  friend class ChainWriter;
  friend class ChainReader;
  using Lock = std::unique_lock<std::mutex>;

  void append(Chain& chain, std::uint32_t buffer, std::uint32_t records);
  void forget_blocks(Chain& chain);
  void wait_while_leaving(Lock& lock, const Chain& chain, std::size_t number);
  /// Bytes that a block takes on disk.
  std::size_t stored_bytes(const ChainBlock& block) const {
    return block.code_pages == 0 ? block_bytes_ : block.code_pages * page_bytes;
  }
  Extent extent(const ChainBlock& block) const {
    return {static_cast<std::uint32_t>(block.disk), block.granule * BlockManager::granularity_bytes,
            stored_bytes(block)};
  }
  void charge_lists(std::size_t blocks);
  void grow_list(Chain& chain);

  Environment& environment_;
  const std::size_t block_bytes_;
  bool keep_space_ = false;

  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< a block has left or is kept again, or scratch space is free
  std::vector<Chain> chains_;
  std::size_t last_kept_ = 0;  ///< no chain behind it has a kept block
  Reservation bookkeeping_;
  std::size_t bookkept_blocks_ = 0;  ///< for which the lists have room
};

}  // namespace emgraph::core
