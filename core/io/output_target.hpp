// SPDX-License-Identifier: MIT
// The target of an OutputFile: a file that gets its name at the end, or a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/io/disk.hpp"
#include "core/io/output_file.hpp"
#include "core/io/output_set.hpp"

namespace emgraph::core {

/// Not thread-safe. Destruction before complete() removes the output.
class OutputTarget {
 public:
  virtual ~OutputTarget() = default;
  /// Starts to write `bytes` at `offset`. Returns nullptr if they are written already. Offsets ascend without
  /// gaps; page 0 of a rewritable target may be written again.
  virtual RequestPtr write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Starts to read what was written. Only of a target with a part.
  virtual RequestPtr read(std::uint64_t /*offset*/, std::span<std::byte> /*bytes*/) { return nullptr; }
  /// Bytes that it holds. Only of a target with a part.
  virtual std::uint64_t held_bytes() const { return 0; }
  /// True if page 0 can be written again. Such a target takes whole pages; complete() cuts off the padding.
  virtual bool rewritable() const = 0;
  /// Free bytes where the output is written; nullopt if there is no limit that can be known.
  virtual std::optional<std::uint64_t> free_bytes() const { return std::nullopt; }
  /// Makes the first `size_bytes` bytes the output. Requires: all requests are done.
  virtual void complete(std::uint64_t size_bytes) = 0;
};

/// Standard output ("-") or a device or FIFO that exists: blocking write(2), BrokenPipe on EPIPE.
std::unique_ptr<OutputTarget> make_stream_target(const std::string& path, IoStatistics& statistics);

/// A file that `outputs` gives the name `path` after complete(). `queue_depth`: requests in flight.
std::unique_ptr<OutputTarget> make_renamed_target(const std::string& path, Overwrite overwrite,
                                                  IoStatistics& statistics, OutputSet& outputs,
                                                  unsigned queue_depth);

/// Takes all bytes and keeps none.
std::unique_ptr<OutputTarget> make_rehearsed_target(bool rewritable);

/// The error for an output that exists and must not be replaced.
UsageError output_exists(const std::string& path);

}  // namespace emgraph::core
