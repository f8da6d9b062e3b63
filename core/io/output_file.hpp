// SPDX-License-Identifier: MIT
// Sequential output that appears under its name only when complete; or standard output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/io/disk.hpp"
#include "core/io/temporary_names.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::core {

/// What to do when the final name exists.
enum class Overwrite { refuse, force };

/// Append-only writer. Regular files: written to "PATH.tmp.PID" beside, direct I/O in 1 MiB requests with
/// several in flight, then fdatasync, rename, fsync of the directory. "-": blocking write(2) to descriptor 1
/// (BrokenPipe when the reader has gone; the process must ignore SIGPIPE). Device files and FIFOs: written in
/// place. Destroyed without finish(): the temporary file is removed, the old output stays.
class OutputFile {
 public:
  /// Throws UsageError if `path` exists and `overwrite` is refuse; EnvironmentError if it cannot be created.
  OutputFile(const std::string& path, Overwrite overwrite, MemoryBudget& budget, IoStatistics& statistics,
             TemporaryNames& names);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;

  /// Not thread-safe. Throws EnvironmentError (disk full, I/O error) possibly for earlier appends.
  void append(std::span<const std::byte> bytes);
  /// Room for up to `window().size()` bytes (at least 64 KiB) written in place; then `commit(n)` appends the
  /// first n.
  std::span<std::byte> window();
  void commit(std::size_t bytes);

  /// Regular files can have their start rewritten before finish(); standard output and FIFOs cannot.
  bool rewritable() const;
  /// Replaces the first `bytes.size()` (at most 4096) bytes, which must have been appended already.
  void rewrite_start(std::span<const std::byte> bytes);

  std::uint64_t size() const;
  const std::string& path() const;
  /// Flushes, checks every write, renames. Must be called for the output to exist.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
