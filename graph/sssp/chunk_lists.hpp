// SPDX-License-Identifier: MIT
// Lists of entries in chunks of a shared pool: the buckets of the queues.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "core/memory/growing_array.hpp"

namespace emgraph::graph::sssp {

/// A list of chunks, by the number of its latest chunk.
struct ChunkList {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t head = none;
  bool empty() const { return head == none; }
};

/// Chunks of `bytes` bytes for lists of entries. A chunk that is given back is used again.
///
/// Memory: the most chunks that were ever in use, charged as they are taken. Threads: each with a Cache of
/// its own; a chunk may be given back by another thread than the one that took it. Throws: MemoryLimitError.
template <class Entry, std::size_t bytes>
class ChunkPool {
  static_assert(std::is_trivially_copyable_v<Entry>);

 public:
  static constexpr std::size_t capacity = (bytes - 2 * sizeof(std::uint32_t)) / sizeof(Entry);
  struct Chunk {
    std::uint32_t next;
    std::uint32_t count;
    Entry entries[capacity];
  };
  /// The free chunks of a thread.
  struct alignas(64) Cache {
    std::uint32_t free = ChunkList::none;
  };

  ChunkPool(core::MemoryBudget& budget, std::string_view what) : chunks_(budget, ChunkList::none - 1, what) {}

  Chunk& at(std::uint32_t chunk) const { return chunks_[chunk]; }

  void push(Cache& cache, ChunkList& list, const Entry& entry) {
    if (list.head == ChunkList::none || at(list.head).count == capacity) [[unlikely]]
      add(cache, list);
    Chunk& chunk = at(list.head);
    chunk.entries[chunk.count++] = entry;
  }
  void give_back(Cache& cache, std::uint32_t chunk) {
    at(chunk).next = cache.free;
    cache.free = chunk;
  }

 private:
  void add(Cache& cache, ChunkList& list) {
    std::uint32_t chunk = cache.free;
    if (chunk != ChunkList::none) {
      cache.free = at(chunk).next;
    } else {
      chunk = taken_.fetch_add(1, std::memory_order_relaxed);
      chunks_.reach(std::uint64_t{chunk} + 1);
    }
    at(chunk).next = list.head;
    at(chunk).count = 0;
    list.head = chunk;
  }

  core::GrowingArray<Chunk> chunks_;
  std::atomic<std::uint32_t> taken_{0};
};

}  // namespace emgraph::graph::sssp
