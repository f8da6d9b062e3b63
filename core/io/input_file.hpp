// SPDX-License-Identifier: MIT
// An input: a regular file with random access, or a stream (pipe, standard input) that is read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// "-" is standard input. Regular files of at least 4 MiB are read with direct I/O if the file system
/// supports it, so that they do not fill the page cache. Smaller files, and files already in the page cache,
/// are read buffered.
class InputFile {
 public:
  /// Throws EnvironmentError: missing, a directory, unreadable.
  InputFile(const std::string& path, IoStatistics& statistics);
  ~InputFile();
  InputFile(InputFile&&) noexcept;

  const std::string& path() const;
  /// Name for messages: the path, or "standard input".
  const std::string& name() const;
  bool seekable() const;
  /// Bytes of a seekable input.
  std::uint64_t size() const;
  /// True if most of the file was in the page cache when it was opened, so that reading waits for no disk.
  bool cached() const;
  /// True if reading all of it a second time takes little time beside a sort: it is small, cached, or on a
  /// disk that gives at least quick_bytes_per_second. The first call may read 16 MiB to find out. False for
  /// streams. Memory: 4 MiB meanwhile, not charged. Not thread-safe.
  bool quick_to_reread();
  static constexpr double quick_bytes_per_second = 5e8;
  /// Asynchronous access to a seekable input.
  Disk& disk();
  /// Reads `buffer.size()` bytes at `offset` of a seekable input, blocking. Returns the bytes read: fewer
  /// only at the end.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer);
  /// Reads the next bytes of a stream or file, blocking until the buffer is full or the input ends. Bytes
  /// returned by peek() are delivered again. Not thread-safe.
  std::size_t read_next(std::span<std::byte> buffer);
  /// The first bytes (at most 1 MiB, kept, not charged) without consuming them: for format detection.
  std::span<const std::byte> peek(std::size_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
