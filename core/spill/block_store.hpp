// SPDX-License-Identifier: MIT
// Chains of filled blocks. As many blocks as the pool can hold stay in memory, the others go to disk.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "core/environment.hpp"
#include "core/spill/block_pool.hpp"
#include "core/spill/chain_reader.hpp"
#include "core/spill/chain_store.hpp"
#include "core/spill/chain_writer.hpp"

namespace emgraph::core {

/// A pool of equal buffers, the chains in it and on disk, their writer and their reader. README.md of this
/// room describes transfers and locks.
///
/// Memory: the pool with scratch space for `coding_threads` threads, and the lists of the chains. Not
/// charged: up to 80 KiB for the look-ahead of reading, with several disks. Throws: MemoryLimitError,
/// UsageError if there are more than 1024 disks.
struct BlockStore {
  BlockStore(Environment& environment, std::size_t block_bytes, std::size_t pool_bytes,
             unsigned coding_threads = 0)
      : pool(environment.memory, block_bytes, pool_bytes, coding_threads),
        chains(environment, block_bytes),
        writer(environment, pool, chains),
        reader(environment, pool, chains, writer) {}

  std::size_t block_bytes() const { return pool.block_bytes(); }

  // Destroyed from the last to the first: transfers end before space and buffers are freed.
  BlockPool pool;
  ChainStore chains;
  ChainWriter writer;
  ChainReader reader;
};

}  // namespace emgraph::core
