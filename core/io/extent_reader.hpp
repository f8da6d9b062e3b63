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

/// Returns the extents in the order of the sequence, with `depth` further ones in flight. `next` is
/// thread-safe; each call returns another extent. Extents need not be aligned: direct I/O reads whole pages
/// around them. Memory: (depth + lanes) buffers of `max_extent_bytes` + two pages, reserved on construction.
class ExtentReader {
 public:
  /// `sequence(i)` is the i-th extent, nullopt after the last. No extent exceeds `max_extent_bytes`.
  /// `lanes`: the greatest number of extents held at the same time.
  ExtentReader(Disk& disk, MemoryBudget& budget,
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

  /// The next extent, or nullopt after the last. Throws the EnvironmentError of the read.
  std::optional<Loaded> next();
  /// Returns the buffer of a Loaded; its bytes are invalid afterwards.
  void release(const Loaded& loaded);
  /// Starts again at extent `first`. Requires: no Loaded is held.
  void rewind(std::uint64_t first = 0);

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
