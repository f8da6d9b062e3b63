// SPDX-License-Identifier: MIT
// The bytes under a run: its list of blocks, write-behind and read-ahead of whole blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block/extent.hpp"
#include "core/environment.hpp"
#include "core/io/request.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// Owns extents in order, all of `block_bytes` bytes but the last, which may be shorter. They are allocated
/// `stretch_blocks` at a time, neighbours on one disk: more than one keeps the list of a long run short, at
/// the price of coarser striping. Move-only; frees what it still owns on destruction. Memory: 8 bytes per
/// stretch, charged to the budget.
class BlockList {
 public:
  BlockList() = default;
  BlockList(Environment& environment, std::size_t block_bytes, std::size_t stretch_blocks = 1);
  BlockList(BlockList&& other) noexcept { swap(other); }
  BlockList& operator=(BlockList&& other) noexcept;
  ~BlockList();

  std::size_t size() const { return size_; }
  std::size_t block_bytes() const { return block_bytes_; }
  Extent operator[](std::size_t index) const;
  /// One more block of `bytes` bytes. Throws EnvironmentError, MemoryLimitError; unchanged then.
  Extent add(std::size_t bytes);
  /// No more blocks come: gives back what the last stretch has left.
  void close() noexcept;
  /// Frees the first block that is still owned.
  void free_first() noexcept;

 private:
  void swap(BlockList& other) noexcept;

  Environment* environment_ = nullptr;
  Reservation reservation_;
  std::size_t block_bytes_ = 0;
  std::size_t stretch_blocks_ = 1;
  std::size_t size_ = 0;
  std::size_t last_bytes_ = 0;
  std::size_t freed_ = 0;
  std::size_t spare_bytes_ = 0;        ///< of the last stretch, behind the last block
  std::vector<std::uint64_t> places_;  ///< of stretches: disk number above 48 bits of offset / granularity
};

/// Write-behind: fills `buffers` blocks in turn, all but the one being filled in flight.
class BlockWriter {
 public:
  BlockWriter(Environment& environment, std::size_t block_bytes, std::size_t buffers,
              std::span<std::byte> memory, std::size_t stretch_blocks = 1);
  BlockWriter(BlockWriter&&) noexcept = default;
  BlockWriter& operator=(BlockWriter&& other) noexcept;
  ~BlockWriter();

  /// The block to fill now.
  std::span<std::byte> buffer() const;
  /// Starts to write the first `bytes` bytes of buffer(), moves on and waits until the next one is free.
  void write(std::size_t bytes);
  BlockList finish();

 private:
  void settle() noexcept;

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
  /// Takes the list and frees each block once it has been read.
  BlockReader(Environment& environment, BlockList&& blocks, std::size_t depth, std::span<std::byte> memory);
  /// Leaves the list as it is; the list must outlive the reader.
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
  void settle() noexcept;
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
