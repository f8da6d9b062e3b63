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

/// Most bytes of an input that InputFile::peek() returns.
inline constexpr std::size_t max_peek_bytes = std::size_t{1} << 20;

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
  /// To be called before the first of two readings. If the disk is slower than `quick`, in bytes per second,
  /// disk() and read_at() use the page cache from now on: there the second reading finds what fits. May read
  /// 16 MiB to find out. Memory: 4 MiB meanwhile, not charged. Not thread-safe.
  void expect_rereading(double quick = 5e8);
  /// Asynchronous access to a seekable input. A disk that was returned before expect_rereading() stays valid.
  Disk& disk();
  /// Reads `buffer.size()` bytes at `offset` of a seekable input, blocking. Returns the bytes read: fewer
  /// only at the end.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer);
  /// Reads the next bytes of a stream or file, blocking until the buffer is full or the input ends. Bytes
  /// returned by peek() are delivered again. Not thread-safe.
  std::size_t read_next(std::span<std::byte> buffer);
  /// The first bytes (at most max_peek_bytes, kept, not charged) without consuming them: for format
  /// detection.
  std::span<const std::byte> peek(std::size_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
