// SPDX-License-Identifier: MIT
// The bytes under a run: its list of blocks, write-behind and read-ahead of whole blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block/manager.hpp"
#include "core/environment.hpp"
#include "core/io/request.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// The bytes of a block if `blocks` of them fill the memory: whole pages, at least one, at most `most` bytes.
std::size_t block_share(std::size_t memory_bytes, std::size_t blocks, std::size_t most = MiB);
/// The bytes of the blocks of a run that is written beside other work: 1/128 of the memory, at most `most`.
std::size_t small_block_bytes(const MemoryBudget& budget, std::size_t most = 512 * KiB);

/// An ordered list of blocks, which it owns. All have `block_bytes` bytes, except a shorter last one. Blocks
/// are allocated in stretches: `stretch_blocks` adjacent blocks on one disk. Longer stretches make the list
/// of a long run shorter and the striping coarser. Move-only; destruction frees the blocks it still owns.
/// Memory: 8 bytes per stretch and 4 bytes per block, charged to the budget.
class BlockList {
 public:
  BlockList() = default;
  BlockList(Environment& environment, std::size_t block_bytes, std::size_t stretch_blocks = 1);
  /// The list that save() has described. Claims the space of its blocks from the block manager.
  BlockList(Environment& environment, StateReader& state);
  BlockList(BlockList&& other) noexcept { swap(other); }
  BlockList& operator=(BlockList&& other) noexcept;
  ~BlockList();

  std::size_t size() const { return size_; }
  std::size_t block_bytes() const { return block_bytes_; }
  Extent operator[](std::size_t index) const;
  /// Starts to write a block, and keeps its seal. `bytes` has the size of the block.
  RequestPtr write(std::size_t index, std::span<const std::byte> bytes);
  /// Starts to read a block. `buffer` has the size of the block. Request::wait() checks its seal.
  RequestPtr read(std::size_t index, std::span<std::byte> buffer) const;
  /// Appends a block of `bytes` bytes. Throws EnvironmentError, MemoryLimitError; the list is then unchanged.
  Extent add(std::size_t bytes);
  /// Ends the list: frees the unused blocks of the last stretch.
  void close() noexcept;
  /// Frees the first block that is still owned.
  void free_first() noexcept;
  /// Whether a journal may name the blocks (at first it may). If not, a checkpoint uses their space again as
  /// soon as they are freed.
  void set_named(bool named) { unnamed_ = !named; }
  /// Writes the places and the seals of the blocks. Requires: all are written, none is freed.
  void save(StateWriter& state) const;

 private:
  void charge_lists(std::size_t places, std::size_t seals);
  void swap(BlockList& other) noexcept;
  void grow_lists();

  Environment* environment_ = nullptr;
  Reservation reservation_;
  std::size_t block_bytes_ = 0;
  std::size_t stretch_blocks_ = 1;
  std::size_t size_ = 0;
  std::size_t last_bytes_ = 0;
  std::size_t freed_ = 0;
  bool unnamed_ = false;
  std::size_t spare_bytes_ = 0;        ///< unused bytes of the last stretch
  std::vector<std::uint64_t> places_;  ///< by stretch: disk number above 48 bits of offset / granularity
  std::vector<Seal> seals_;            ///< by block
};

/// Write-behind with `buffers` blocks: one is filled while the others are in flight.
class BlockWriter {
 public:
  BlockWriter(Environment& environment, std::size_t block_bytes, std::size_t buffers,
              std::span<std::byte> memory, std::size_t stretch_blocks = 1);
  /// Goes on after the blocks that save() has described, with their size.
  BlockWriter(Environment& environment, std::size_t buffers, StateReader& state);
  BlockWriter(BlockWriter&&) noexcept = default;
  BlockWriter& operator=(BlockWriter&& other) noexcept;
  ~BlockWriter();

  /// The block to fill.
  std::span<std::byte> buffer() const;
  /// Starts to write the first `bytes` bytes of buffer(). Then waits until the next buffer is free.
  void write(std::size_t bytes);
  BlockList finish();
  std::size_t block_bytes() const { return block_bytes_; }
  /// Waits for all writes, and describes the blocks that are written. The block to fill is not among them.
  void save(StateWriter& state);

 private:
  void wait_for_all();
  void wait_ignoring_error() noexcept;

  Environment* environment_;
  Buffer own_;
  std::span<std::byte> memory_;
  std::size_t block_bytes_;
  BlockList blocks_;
  std::size_t current_ = 0;
  std::vector<RequestPtr> in_flight_;  ///< one per buffer, null = free
};

/// Read-ahead of `depth` blocks in the order of the list.
class BlockReader {
 public:
  /// Takes over the list and frees each block after reading it.
  BlockReader(Environment& environment, BlockList&& blocks, std::size_t depth, std::span<std::byte> memory);
  /// Does not change the list; the list must outlive the reader.
  BlockReader(Environment& environment, const BlockList& blocks, std::size_t depth,
              std::span<std::byte> memory);
  BlockReader(BlockReader&&) noexcept = default;
  BlockReader& operator=(BlockReader&& other) noexcept;
  ~BlockReader();

  /// Requires: a block is left. The span is valid until the next call.
  std::span<const std::byte> next();

 private:
  void start(std::size_t depth, std::span<std::byte> memory);
  void submit();
  void wait_ignoring_error() noexcept;
  std::span<std::byte> slot(std::size_t index) const;
  const BlockList& blocks() const { return borrowed_ != nullptr ? *borrowed_ : owned_; }

  Environment* environment_;
  Buffer own_;
  std::span<std::byte> memory_;
  BlockList owned_;
  const BlockList* borrowed_ = nullptr;
  std::size_t next_ = 0;               ///< block that next() returns
  std::size_t submitted_ = 0;          ///< blocks submitted so far
  std::vector<RequestPtr> in_flight_;  ///< block i in slot i mod (depth + 1)
};

}  // namespace emgraph::core
