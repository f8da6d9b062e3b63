// SPDX-License-Identifier: MIT
// The target of an OutputFile: a file that gets its name at the end, or a stream.
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

/// Not thread-safe. Destruction before publish() removes the output.
class OutputTarget {
 public:
  virtual ~OutputTarget() = default;
  /// Starts to write `bytes` at `offset`. Returns nullptr if they are written already. Offsets ascend without
  /// gaps; page 0 of a rewritable target may be written again.
  virtual RequestPtr write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// True if page 0 can be written again. Such a target takes whole pages; publish() cuts off the padding.
  virtual bool rewritable() const = 0;
  /// Makes the first `size_bytes` bytes the output. Requires: all requests are done.
  virtual void publish(std::uint64_t size_bytes) = 0;
};

/// Standard output ("-") or a device or FIFO that exists: blocking write(2), BrokenPipe on EPIPE.
std::unique_ptr<OutputTarget> make_stream_target(const std::string& path, IoStatistics& statistics);

/// A temporary file in the directory of `path`; publish() renames it. `queue_depth`: requests in flight.
std::unique_ptr<OutputTarget> make_renamed_target(const std::string& path, Overwrite overwrite,
                                                  IoStatistics& statistics, TemporaryNames& names,
                                                  unsigned queue_depth);

/// Takes all bytes and keeps none.
std::unique_ptr<OutputTarget> make_rehearsed_target(bool rewritable);

/// The error for an output that exists and must not be replaced.
UsageError output_exists(const std::string& path);

}  // namespace emgraph::core
