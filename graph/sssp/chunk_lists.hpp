// SPDX-License-Identifier: MIT
// Lists of entries in chunks of a shared pool: the buckets of the queues.
#pragma once

#include <algorithm>
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
  /// The free chunks of a thread: those given back, and those not used yet.
  struct alignas(64) Cache {
    std::uint32_t free = ChunkList::none;
    std::uint32_t next = 0;
    std::uint32_t end = 0;
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
      if (cache.next == cache.end) take_slab(cache);
      chunk = cache.next++;
    }
    at(chunk).next = list.head;
    at(chunk).count = 0;
    list.head = chunk;
  }

  // Takes many chunks at once, up to a huge page of them: threads seldom meet at the shared counter, and
  // seldom touch new chunks of one huge page at the same time.
  void take_slab(Cache& cache) {
    constexpr std::uint32_t most = std::max<std::uint32_t>(1, (std::uint32_t{2} << 20) / bytes);
    constexpr std::uint32_t least = std::max<std::uint32_t>(1, (std::uint32_t{32} << 10) / bytes);
    const std::uint32_t count = std::clamp(taken_.load(std::memory_order_relaxed) / 16, least, most);
    const std::uint32_t first = taken_.fetch_add(count, std::memory_order_relaxed);
    chunks_.reach(std::uint64_t{first} + count);
    cache.next = first;
    cache.end = first + count;
  }

  core::GrowingArray<Chunk> chunks_;
  std::atomic<std::uint32_t> taken_{0};
};

}  // namespace emgraph::graph::sssp
