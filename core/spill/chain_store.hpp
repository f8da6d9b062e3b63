// SPDX-License-Identifier: MIT
// Chains: an ordered sequence of lists of blocks, each block in memory or on disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/spill/block_coding.hpp"

namespace emgraph::core {

/// One block of a chain. It has only 24 bytes, because there can be millions. ChainStore::bookkeeping_bytes
/// charges its size.
struct ChainBlock {
  /// kept: filled, in memory. leaving: a thread codes it or starts its write, without the lock. written: on
  /// disk, or its write is in flight. reading: its read is in flight. loaded: a consumer uses it. consumed:
  /// freed.
  enum class State : std::uint8_t { kept, leaving, written, reading, loaded, consumed };
  static constexpr unsigned granule_bits = 40;
  static constexpr unsigned disk_bits = 10;
  static constexpr unsigned code_pages_bits = 10;

  std::uint64_t granule : granule_bits = 0;        ///< offset on its disk / BlockManager::granularity_bytes
  std::uint64_t disk : disk_bits = 0;              ///< number of its disk
  std::uint64_t code_pages : code_pages_bits = 0;  ///< length of its code, pages; 0: it is not coded
  State state : 3 = State::kept;
  /// In memory: the number of its buffer. Written: the lowest bits of the number of its write.
  std::uint32_t place = 0;
  std::uint32_t records = 0;
  Seal seal = 0;             ///< of the bytes on disk
  Seal first_page_seal = 0;  ///< of their first page, for ChainReader::peek
};
static_assert(sizeof(ChainBlock) == 24);

/// A list of blocks, for ChainWriter and ChainReader.
struct Chain {
  std::vector<ChainBlock> blocks;
  std::uint64_t records = 0;
  std::size_t kept = 0;               ///< blocks in state kept
  std::optional<BlockLayout> layout;  ///< the layout of records in its blocks, if these may be coded
};

/// A chain as callers see it, at the time of the call.
struct ChainView {
  std::uint64_t records = 0;
  std::size_t blocks = 0;
};

/// The lists of all chains, their memory, the space of their blocks on disk, and the lock of a block store.
///
/// The lock guards the lists, the free lists of the pool, and the transfers known to writer and reader. It is
/// held for bookkeeping and to submit a read. No thread holds it while it codes a block, allocates space on
/// disk, or waits for a transfer.
///
/// Memory: the lists, charged when they grow. Threads: any; but no other thread may use the store during
/// insert() and restore(), which change the list of chains. Throws: MemoryLimitError.
class ChainStore {
 public:
  /// Larger blocks are not coded: the length of the code would not fit in ChainBlock.
  static constexpr std::size_t most_coded_block_bytes = page_bytes << ChainBlock::code_pages_bits;
  /// Bytes per block for a plan. They include the unused capacity of lists, and a second copy of a chain of a
  /// quarter of all blocks while its list grows. Only existing lists are charged.
  static constexpr std::size_t bookkeeping_bytes = 3 * sizeof(ChainBlock) / 2;
  /// The charge grows in steps of this number of blocks.
  static constexpr std::size_t bookkeeping_step_blocks = 256;
  /// Upper bound of the charge for this number of blocks in chains of similar length.
  static constexpr std::uint64_t bookkeeping_bytes_for(std::uint64_t blocks) {
    return (blocks / bookkeeping_step_blocks + 2) * bookkeeping_step_blocks * bookkeeping_bytes;
  }

  /// Throws UsageError if there are more than 1024 disks.
  ChainStore(Environment& environment, std::size_t block_bytes);
  /// Frees the space of all blocks on disk.
  ~ChainStore();
  ChainStore(const ChainStore&) = delete;

  /// Inserts `count` empty chains before position `at`.
  void insert(std::size_t at, std::size_t count);
  /// The same for chains whose blocks may be coded.
  void insert(std::size_t at, std::span<const BlockLayout> layouts);
  std::size_t size() const;
  ChainView view(std::size_t chain) const;

  /// The manifest: for each chain its number of records and its blocks on disk, with their offset, length,
  /// coding and records. Consumed blocks are left out. chain_manifest.cpp describes the layout. Requires:
  /// ChainWriter::write_all() was called, and no block was put or read since then (else std::logic_error).
  void write_manifest(FunctionRef<void(std::span<const std::byte>)> put) const;
  /// Restores chains from a manifest, and claims the space of their blocks from the block manager. `get`
  /// fills the span or throws. Requires: there are no chains yet; the manager has the same disks, in the same
  /// order, as the one for which the manifest was written. Throws EnvironmentError if the bytes are not a
  /// manifest for blocks of this size, or if some of the space is in use.
  void restore(FunctionRef<void(std::span<std::byte>)> get);

 private:
  friend class ChainWriter;
  friend class ChainReader;
  using Lock = std::unique_lock<std::mutex>;

  void append(Chain& chain, std::uint32_t buffer, std::uint32_t records);
  void forget_blocks(Chain& chain);
  void wait_while_leaving(Lock& lock, const Chain& chain, std::size_t number);
  /// Bytes of a block on disk.
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

  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< a block was written or is kept again, or scratch space is free
  std::vector<Chain> chains_;
  std::size_t last_kept_ = 0;  ///< no later chain has a kept block
  Reservation bookkeeping_;
  std::size_t bookkept_blocks_ = 0;  ///< total capacity of the lists
};

}  // namespace emgraph::core
