// SPDX-License-Identifier: MIT
// The reading side of a block store: blocks are read ahead of their use.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/environment.hpp"
#include "core/io/request.hpp"
#include "core/spill/chain_writer.hpp"
#include "core/spill/read_order.hpp"

namespace emgraph::core {

/// A block's records in memory.
struct LoadedBlock {
  const std::byte* data = nullptr;
  std::size_t records = 0;
};

/// The first page of a block, or the block, which is being read for the caller.
struct PeekedBlock {
  RequestPtr request;  ///< wait for it before using the bytes; null: they are in memory
  std::size_t records = 0;
  bool coded = false;  ///< the page is the head of a code (sample_coded_block)
};

/// Usage: `start_reading`, then for each block `load`, use it, `release`; or `consume`, which does this for a
/// whole chain. Meanwhile following blocks are read ahead, in a window of buffers. The window does not wait
/// for a block whose write is still in flight; it continues when the next block is released.
///
/// I/O: reads each block on disk once, and frees its space when it is loaded. Memory: only the pool; see
/// ReadOrder. Threads: any; but one thread loads and releases a block, and no block may be put to a chain
/// that is being consumed. Blocks may be loaded in any order; in the order of their chain they have been read
/// ahead. Throws: EnvironmentError of a failed transfer.
class ChainReader {
 public:
  ChainReader(Environment& environment, BlockPool& pool, ChainStore& chains, ChainWriter& writer);
  /// Waits for the reads in flight.
  ~ChainReader();
  ChainReader(const ChainReader&) = delete;

  /// Starts to read ahead the blocks of chains `first` … `last - 1`, in order.
  void start_reading(std::size_t first, std::size_t last);
  /// The same, but nearly as far ahead as the pool allows, and a block's space is free as soon as it has been
  /// read. So the disks are empty, and give their space back, while the last blocks are used. Requires:
  /// nobody takes buffers until the chains are consumed, and at most `consumers` threads load blocks.
  void start_reading_alone(std::size_t first, std::size_t last, std::size_t consumers);
  /// Returns the block, in memory and decoded.
  LoadedBlock load(std::size_t chain, std::size_t block);
  /// Ends the use of a block; it is consumed.
  void release(std::size_t chain, std::size_t block);
  /// Frees all blocks of a chain, consumed or not, and their list. The chain's number of records remains.
  /// Requires: no other thread uses the chain; none of its blocks is loaded (else std::logic_error).
  void drop_blocks(std::size_t chain);
  /// Drops the blocks and sets the chain's number of records to 0.
  void clear(std::size_t chain);
  /// Copies the first page of a block, or the whole block, to `to`, aligned to a page, without consuming the
  /// block. Requires: no block of the chain was loaded yet; `to` has the bytes of a page or of a block.
  PeekedBlock peek(std::size_t chain, std::size_t block, std::span<std::byte> to);

  /// Loads the blocks of a chain one after the other, calls take(data, records), and releases each.
  template <class Take>
  void consume(std::size_t chain, Take&& take) {
    const std::size_t blocks = chains_.view(chain).blocks;
    for (std::size_t number = 0; number < blocks; ++number) {
      const LoadedBlock block = load(chain, number);
      take(block.data, block.records);
      release(chain, number);
    }
  }
  /// The same on up to `threads` threads at once: take(thread, data, records). If one throws, the others stop
  /// after their block.
  template <class Take>
  void consume_on_threads(std::size_t chain, unsigned threads, Take&& take) {
    const std::size_t blocks = chains_.view(chain).blocks;
    std::atomic<std::size_t> next{0};
    run_on_threads(static_cast<unsigned>(std::min<std::size_t>(threads, blocks)), [&](unsigned thread) {
      try {
        for (std::size_t number; (number = next.fetch_add(1)) < blocks;) {
          const LoadedBlock block = load(chain, number);
          take(thread, block.data, block.records);
          release(chain, number);
        }
      } catch (...) {
        next.store(blocks);
        throw;
      }
    });
  }

 private:
  using Lock = ChainStore::Lock;

  void start_reading(std::size_t first, std::size_t last, std::size_t window_blocks, bool alone);
  // Requires: the lock is held. Functions that take the lock as an argument release it for a time.
  void read_ahead();
  void start_read(ChainBlock& block);
  void finish_read(ChainBlock& block);
  void decode(Lock& lock, Chain& chain, std::size_t number);
  void discard(Lock& lock, Chain& chain, std::size_t number);
  void free_buffer(const ChainBlock& block);

  Environment& environment_;
  BlockPool& pool_;
  ChainStore& chains_;
  ChainWriter& writer_;
  ReadOrder order_;
  std::size_t window_blocks_;
  bool alone_ = false;
  std::size_t window_used_ = 0;  ///< number of buffers whose block was read and has not been released
  /// For each buffer the read in flight, what finish_read() frees, and whether the buffer counts in
  /// window_used_.
  struct Reading {
    RequestPtr request;
    Extent extent;
    bool in_window = false;
  };
  std::vector<Reading> reading_;
};

}  // namespace emgraph::core
