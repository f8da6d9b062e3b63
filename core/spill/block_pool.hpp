// SPDX-License-Identifier: MIT
// The memory of a block store: equal buffers for blocks, and scratch space for coding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/spill/block_coding.hpp"

namespace emgraph::core {

/// `pool_bytes` / `block_bytes` buffers, and for each of `coding_threads` threads coding_scratch_bytes, all
/// reserved by the constructor. Threads: the lock of ChainStore guards the free lists; the contents of a
/// buffer belong to the thread that took it. Throws MemoryLimitError.
class BlockPool {
 public:
  BlockPool(MemoryBudget& budget, std::size_t block_bytes, std::size_t pool_bytes, unsigned coding_threads)
      : block_bytes_(block_bytes),
        blocks_(pool_bytes / block_bytes),
        coding_threads_(coding_threads),
        buffers_(budget, blocks_ * block_bytes, "the pool of sort buffers"),
        scratch_(budget, coding_threads * coding_scratch_bytes(block_bytes), "coding sort blocks") {
    // take() returns the last element, so the lowest addresses are used first, and unused pages stay
    // untouched.
    free_.reserve(blocks_);
    for (std::size_t i = blocks_; i-- > 0;) free_.push_back(buffers_.data() + i * block_bytes);
    for (unsigned i = 0; i < coding_threads; ++i) {
      scratch_free_.push_back(scratch_.data() + i * coding_scratch_bytes(block_bytes));
    }
  }
  BlockPool(const BlockPool&) = delete;

  std::size_t block_bytes() const { return block_bytes_; }
  std::size_t blocks() const { return blocks_; }
  unsigned coding_threads() const { return coding_threads_; }

  std::size_t free_blocks() const { return free_.size(); }
  /// Requires: free_blocks() > 0.
  std::byte* take() {
    std::byte* const buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give(std::byte* buffer) { free_.push_back(buffer); }

  std::uint32_t number_of(const std::byte* buffer) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(buffer - buffers_.data()) / block_bytes_);
  }
  std::byte* buffer(std::uint32_t number) const { return buffers_.data() + number * block_bytes_; }

  bool has_scratch() const { return !scratch_free_.empty(); }
  /// Requires: has_scratch().
  std::span<std::byte> take_scratch() {
    std::byte* const scratch = scratch_free_.back();
    scratch_free_.pop_back();
    return {scratch, coding_scratch_bytes(block_bytes_)};
  }
  void give_scratch(std::span<std::byte> scratch) { scratch_free_.push_back(scratch.data()); }

 private:
  const std::size_t block_bytes_;
  const std::size_t blocks_;
  const unsigned coding_threads_;
  Buffer buffers_;
  Buffer scratch_;
  std::vector<std::byte*> free_;
  std::vector<std::byte*> scratch_free_;
};

}  // namespace emgraph::core
