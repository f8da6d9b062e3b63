// SPDX-License-Identifier: MIT
// Sequential output to a file that gets its name when it is complete, or to standard output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/io/disk.hpp"
#include "core/io/output_set.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::core {

/// Append-only writer.
/// A regular file has no name while it is written (unpublished_file.hpp): direct I/O, requests of up to 1
/// MiB, several in flight. finish() makes it durable; the set names it. "-" is blocking write(2) to
/// descriptor 1; it throws BrokenPipe after the reader has gone, and the process must ignore SIGPIPE. Device
/// files and FIFOs are written in place. Destruction without finish() removes the file; an old output stays.
class OutputFile {
 public:
  /// Throws UsageError if `path` exists and `overwrite` is refuse; EnvironmentError if it cannot be created.
  OutputFile(const std::string& path, Overwrite overwrite, MemoryBudget& budget, IoStatistics& statistics,
             OutputSet& outputs);
  /// Memory of the buffers of a regular file in a budget of so many bytes.
  static std::size_t buffer_bytes(std::size_t limit_bytes);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;

  /// Not thread-safe. Throws EnvironmentError (disk full, I/O error), possibly of an earlier append.
  void append(std::span<const std::byte> bytes);
  /// Space (at least 64 KiB) into which the caller writes directly; `commit(n)` then appends its first n
  /// bytes.
  std::span<std::byte> window();
  void commit(std::size_t bytes);

  /// True for regular files: rewrite_start() works until finish(). False for standard output and FIFOs.
  bool rewritable() const;
  /// Replaces the first bytes.size() bytes (at most 4096), which must have been appended already.
  void rewrite_start(std::span<const std::byte> bytes);

  /// Throws EnvironmentError if the file system has not so many bytes free for the rest of the output.
  /// `advice` ends the message. Does nothing for standard output and FIFOs.
  void require_space(std::uint64_t bytes, const std::string& advice) const;

  /// True if the output is written to a part (OutputSet::keep_part): save() and restore() work.
  bool resumable() const;
  /// Writes all whole pages to the file, and puts its size, its checksum, its first page and the bytes after
  /// the last whole page. The caller makes the file durable.
  void save(StateWriter& state);
  /// Continues the file that save() has described; what was appended before is dropped. I/O: reads the file
  /// once. Throws EnvironmentError if it is not as described.
  void restore(StateReader& state);

  std::uint64_t size() const;
  const std::string& path() const;
  /// Flushes, checks every write, adds the file to the set. Without it there is no output.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
