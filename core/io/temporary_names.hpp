// SPDX-License-Identifier: MIT
// The names of files to remove if the process is interrupted; readable in a signal handler.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emgraph::core {

/// A table of path names. add/remove are thread-safe; unlink_all and the questions are async-signal-safe.
class TemporaryNames {
 public:
  static constexpr std::size_t capacity = 4096;
  static constexpr std::size_t max_path_bytes = 4096;

  TemporaryNames();

  /// Returns the slot for remove(). Throws EnvironmentError if the table is full or the path too long.
  std::size_t add(const std::string& path);
  void remove(std::size_t slot) noexcept;
  void unlink_all() noexcept;

  /// Between begin and end, outputs get their names: a signal handler must let that end.
  void begin_publication() noexcept { publishing_ = true; }
  void end_publication(bool complete) noexcept;
  bool publishing() const noexcept { return publishing_; }
  /// True after a complete publication.
  bool published() const noexcept { return published_; }
  /// True once bytes of an output can be seen: after a complete publication, and for standard output.
  bool written() const noexcept { return written_; }
  void note_written() noexcept { written_ = true; }

 private:
  // A path stays allocated until the table is destroyed, because a handler may be reading it.
  std::mutex mutex_;
  std::vector<std::unique_ptr<std::string>> paths_;
  std::unique_ptr<std::atomic<const char*>[]> slots_;
  std::atomic<bool> publishing_{false};
  std::atomic<bool> published_{false};
  std::atomic<bool> written_{false};
  static_assert(std::atomic<const char*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
};

}  // namespace emgraph::core
