// SPDX-License-Identifier: MIT
// Reads all pages of a store in order, with read-ahead, for many threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "core/environment.hpp"
#include "graph/adjacency/page_store.hpp"

namespace emgraph::graph::adjacency {

/// Returns the chunks of a store in order, with further ones in flight. `next` and `release` are thread-safe;
/// each call of `next` returns another chunk.
///
/// I/O: reads each chunk that is not resident once. Memory: depth + lanes chunks, charged; none if all pages
/// are resident. Chunks that are read stay resident until they take `keep_bytes` of the budget. Throws:
/// EnvironmentError, MemoryLimitError.
class PageScan {
 public:
  /// `lanes`: most chunks held at the same time. `wanted(first_page, pages)`: false skips the chunk; without
  /// it all chunks are read. It is called under a lock.
  PageScan(core::Environment& environment, PageStore& store, unsigned lanes, std::size_t keep_bytes,
           std::function<bool(std::uint64_t, std::uint64_t)> wanted = {});
  ~PageScan();
  PageScan(const PageScan&) = delete;

  struct Loaded {
    std::uint64_t first_page = 0;
    std::uint64_t pages = 0;
    const std::byte* data = nullptr;
    bool fresh = false;  ///< read from the disk: the caller must verify the pages it uses
    bool kept = false;   ///< stays resident: the caller must verify all its pages
    std::size_t slot = 0;
  };
  /// The next chunk, or nullopt after the last.
  std::optional<Loaded> next();
  /// Returns a chunk. Requires: the pages of a kept chunk were verified.
  void release(const Loaded& loaded);
  /// Starts again at the first chunk. Requires: no chunk is held.
  void rewind();

  /// Least memory of a scan with `lanes` lanes.
  static std::size_t least_bytes(const PageStore& store, unsigned lanes) {
    return (lanes + 1) * store.chunk_bytes();
  }
  /// Chunks that are read ahead, besides those of the lanes, by a scan that has just the memory to keep all.
  static constexpr unsigned least_depth_of_load = 4;
  /// Most memory of a scan of `absent_bytes` that are not resident, beside what it keeps.
  static std::uint64_t most_bytes(std::uint64_t absent_bytes, std::size_t chunk_bytes, unsigned lanes) {
    const std::uint64_t chunks = (absent_bytes + chunk_bytes - 1) / chunk_bytes;
    return (std::min<std::uint64_t>(wished_depth + lanes, chunks) + lanes) * chunk_bytes;
  }

 private:
  struct Slot {
    core::Buffer buffer;
    core::RequestPtr request;
    std::uint64_t chunk = 0;
    bool kept = false;  ///< the store takes the buffer
  };
  struct Ready {
    std::uint64_t chunk = 0;
    std::size_t slot = no_slot;  ///< no_slot: resident
  };
  static constexpr std::size_t no_slot = ~std::size_t{0};
  /// Chunks in flight, in addition to those that lanes hold.
  static constexpr unsigned wished_depth = 8;
  void fill_locked();

  core::Environment& environment_;
  PageStore& store_;
  const std::function<bool(std::uint64_t, std::uint64_t)> wanted_;
  std::size_t keep_left_;
  unsigned depth_ = 0;
  std::mutex mutex_;
  std::uint64_t next_chunk_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
  std::deque<Ready> ready_;  ///< the next chunks in order, each in flight or resident
};

}  // namespace emgraph::graph::adjacency
