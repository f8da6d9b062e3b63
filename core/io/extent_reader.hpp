// SPDX-License-Identifier: MIT
// Reads a known sequence of byte ranges of a file with several requests in flight, for one or many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/io/disk.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {

/// `bytes` bytes at `offset` of a file.
struct FileExtent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Hands out extents in the order of the sequence; `next` is thread-safe, each call gets another extent,
/// while `depth` further ones are in flight. Extents need not be aligned: direct I/O reads the pages around.
/// Memory: (depth + lanes) buffers of `max_extent_bytes` + two pages, reserved on construction.
class ExtentReader {
 public:
  /// `sequence(i)` is the i-th extent, nullopt past the last. `max_extent_bytes` bounds every extent.
  /// `lanes`: how many ReadExtents are held at the same time at most.
  ExtentReader(Disk& disk, IoStatistics& statistics, MemoryBudget& budget,
               std::function<std::optional<FileExtent>(std::uint64_t)> sequence, std::size_t max_extent_bytes,
               unsigned depth, unsigned lanes);
  ~ExtentReader();
  ExtentReader(const ExtentReader&) = delete;

  struct Loaded {
    std::uint64_t index = 0;           ///< position in the sequence
    std::uint64_t offset = 0;          ///< in the file
    std::span<const std::byte> bytes;  ///< shorter than the extent only at the end of the file
    std::size_t slot = 0;              ///< for release()
  };

  /// Next extent, or nullopt after the last. Throws the read's EnvironmentError.
  std::optional<Loaded> next();
  /// Gives the buffer of a Loaded back; its bytes are invalid afterwards.
  void release(const Loaded& loaded);
  /// Starts again at extent 0. No Loaded may be held.
  void rewind();

 private:
  struct Slot;
  void fill_locked();
  Disk& disk_;
  std::function<std::optional<FileExtent>(std::uint64_t)> sequence_;
  const std::size_t depth_;
  const std::size_t max_extent_bytes_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
  std::deque<std::size_t> in_flight_;
  std::uint64_t next_index_ = 0;
  bool exhausted_ = false;
  std::mutex mutex_;
};

}  // namespace emgraph::core
