// SPDX-License-Identifier: MIT
// The end of a block store from which blocks come back, read ahead of their use.
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

/// The first page of a block on its way to the caller.
struct PeekedBlock {
  RequestPtr request;  ///< to wait for before the page is looked at; null: it is there
  std::size_t records = 0;
  bool coded = false;  ///< the page is the head of a code (sample_coded_block)
};

/// Use: `start_reading`, then for each block `load`, look at it, `release`; or `consume`, which does this for
/// a whole chain. Blocks of later chains are read ahead meanwhile, as far as a window of buffers reaches. The
/// window does not wait for a block whose write is still in flight: it goes on when the next block is
/// released.
///
/// I/O: each block on disk once in; its space is free again when it is in memory. Memory: none beside the
/// pool's; see ReadOrder. Threads: any, but a block is loaded and released by one thread, and nothing is put
/// to a chain that is being consumed. Blocks may be loaded in any order; in their own they have been read
/// ahead. Throws: EnvironmentError of a failed transfer.
class ChainReader {
 public:
  ChainReader(Environment& environment, BlockPool& pool, ChainStore& chains, ChainWriter& writer);
  /// Waits for the reads in flight.
  ~ChainReader();
  ChainReader(const ChainReader&) = delete;

  /// From now on blocks on disk are read ahead, chains `first` … `last - 1` in order.
  void start_reading(std::size_t first, std::size_t last);
  /// The block, in memory and decoded.
  LoadedBlock load(std::size_t chain, std::size_t block);
  /// The block has been consumed.
  void release(std::size_t chain, std::size_t block);
  /// Frees all blocks of a chain, consumed or not, and their list; the chain's count of records stays.
  /// Requires: no other thread uses the chain; none of its blocks is loaded (std::logic_error).
  void drop_blocks(std::size_t chain);
  /// Drops the blocks and sets the chain's count of records to 0.
  void clear(std::size_t chain);
  /// Copies the first page of a block to `to`, aligned to a page, without consuming the block. Requires:
  /// nothing is read from the chain yet.
  PeekedBlock peek(std::size_t chain, std::size_t block, std::byte* to);

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

  // All with the lock held; those that get it let it go in between.
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
  const std::size_t window_blocks_;
  std::size_t window_used_ = 0;  ///< buffers whose block was read and has not been released
  /// By buffer: the read that is in flight, and whether the buffer counts in window_used_.
  struct Reading {
    RequestPtr request;
    bool in_window = false;
  };
  std::vector<Reading> reading_;
};

}  // namespace emgraph::core
