// SPDX-License-Identifier: MIT
// An input: a regular file that can be read anywhere, or a stream (pipe, standard input) that is read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// "-" is standard input. Regular files of at least 4 MiB are read with direct I/O where the file system can,
/// so that the page cache is left alone; smaller ones buffered, and those that the page cache holds already.
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
  /// Of a seekable input.
  std::uint64_t size() const;
  /// Was most of it in the page cache when it was opened? Reading then waits for no disk.
  bool cached() const;
  /// Of a seekable input: asynchronous access.
  Disk& disk();
  /// Seekable: up to `buffer.size()` bytes at `offset`, blocking; returns bytes read (short only at the end).
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer);
  /// Stream or file: the next bytes in order, blocking until the buffer is full or the input ends. The first
  /// `peek` bytes are delivered again. Not thread-safe.
  std::size_t read_next(std::span<std::byte> buffer);
  /// The first bytes without consuming them (at most 256 KiB, kept and not charged): for format detection.
  std::span<const std::byte> peek(std::size_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
