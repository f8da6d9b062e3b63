// SPDX-License-Identifier: MIT
// All pages of a store in order, by many threads, read ahead at the speed of the disk.
#pragma once

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

/// Hands out the chunks of a store in order; `next` and `release` are thread-safe, each call gets another
/// chunk, while further ones are in flight.
///
/// I/O: each chunk that is not resident once in. Memory: depth + lanes chunks, charged, none if all pages are
/// resident; with `keep_bytes` chunks that are read stay resident until that many bytes of the budget are
/// used up. Throws: EnvironmentError, MemoryLimitError.
class PageScan {
 public:
  /// `lanes`: chunks held at the same time at most. `wanted(first_page, pages)`: is this chunk worth reading?
  /// Called under a lock; without it all are.
  PageScan(core::Environment& environment, PageStore& store, unsigned lanes, std::size_t keep_bytes,
           std::function<bool(std::uint64_t, std::uint64_t)> wanted = {});
  ~PageScan();
  PageScan(const PageScan&) = delete;

  struct Loaded {
    std::uint64_t first_page = 0;
    std::uint64_t pages = 0;
    const std::byte* data = nullptr;
    bool fresh = false;  ///< from the disk: what is looked at is to be verified
    bool kept = false;   ///< will stay resident: all of it is to be verified
    std::size_t slot = 0;
  };
  /// The next chunk, or nullopt after the last.
  std::optional<Loaded> next();
  /// Gives it back; its pages have been verified if it is kept.
  void release(const Loaded& loaded);
  /// Starts again. No chunk may be held.
  void rewind();

  /// Least memory of a scan with this many lanes.
  static std::size_t least_bytes(const PageStore& store, unsigned lanes) {
    return (lanes + 1) * store.chunk_bytes();
  }

 private:
  struct Slot {
    core::Buffer buffer;
    core::RequestPtr request;
    std::uint64_t chunk = 0;
    bool kept = false;  ///< buffer goes to the store
  };
  struct Ready {
    std::uint64_t chunk = 0;
    std::size_t slot = no_slot;  ///< no_slot: resident
  };
  static constexpr std::size_t no_slot = ~std::size_t{0};
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
  std::deque<Ready> ready_;  ///< in order: in flight or resident
};

}  // namespace emgraph::graph::adjacency
