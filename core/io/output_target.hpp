// SPDX-License-Identifier: MIT
// Where the bytes of an OutputFile go: a file that gets its name at the end, or a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/io/disk.hpp"
#include "core/io/output_file.hpp"
#include "core/io/temporary_names.hpp"

namespace emgraph::core {

/// Not thread-safe. Destroyed before publish(): nothing is left behind.
class OutputTarget {
 public:
  virtual ~OutputTarget() = default;
  /// Begins to write `bytes` at `offset`; nullptr if they are written already. Offsets ascend without gaps,
  /// but for a rewritable target's page 0, which may be written again.
  virtual RequestPtr write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Takes whole pages only (the end is cut by publish), at any place.
  virtual bool rewritable() const = 0;
  /// All requests are done: makes the first `size_bytes` bytes the output.
  virtual void publish(std::uint64_t size_bytes) = 0;
};

/// Standard output ("-") or a device or FIFO that exists: blocking write(2), BrokenPipe on EPIPE.
std::unique_ptr<OutputTarget> make_stream_target(const std::string& path, IoStatistics& statistics);

/// A file beside `path` that publish() renames to it. `queue_depth`: requests in flight.
std::unique_ptr<OutputTarget> make_renamed_target(const std::string& path, Overwrite overwrite,
                                                  IoStatistics& statistics, TemporaryNames& names,
                                                  unsigned queue_depth);

/// The error of an output that is there and may not be replaced.
UsageError output_exists(const std::string& path);

}  // namespace emgraph::core
