// SPDX-License-Identifier: MIT
// Sequential output to a file that gets its name when it is complete, or to standard output.
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

/// Whether an existing file may be replaced. rehearse: nothing is written and no file is made; the memory is
/// the same (for forecasts).
enum class Overwrite { refuse, force, rehearse };

/// Append-only writer.
/// Regular files are written to "PATH.tmp.PID" by direct I/O, in requests of 1 MiB with several in flight;
/// then fdatasync, rename, fsync of the directory. "-" is blocking write(2) to descriptor 1; it throws
/// BrokenPipe after the reader has gone, and the process must ignore SIGPIPE. Device files and FIFOs are
/// written in place. Destruction without finish() removes the temporary file; an old output stays.
class OutputFile {
 public:
  /// Throws UsageError if `path` exists and `overwrite` is refuse; EnvironmentError if it cannot be created.
  OutputFile(const std::string& path, Overwrite overwrite, MemoryBudget& budget, IoStatistics& statistics,
             TemporaryNames& names);
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

  std::uint64_t size() const;
  const std::string& path() const;
  /// Flushes, checks every write, renames. Without it there is no output.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
