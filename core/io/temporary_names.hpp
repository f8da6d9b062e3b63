// SPDX-License-Identifier: MIT
// The names of files to remove if the process is interrupted; readable in a signal handler.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

namespace emgraph::core {

/// A fixed table of path names. add/remove are thread-safe; unlink_all is async-signal-safe.
class TemporaryNames {
 public:
  static constexpr std::size_t capacity = 16;
  static constexpr std::size_t max_path_bytes = 4096;

  /// Returns the slot for remove(). Throws EnvironmentError if the table is full or the path too long.
  std::size_t add(const std::string& path);
  void remove(std::size_t slot) noexcept;
  void unlink_all() noexcept;

 private:
  enum State : int { empty, filling, live };
  struct Slot {
    std::atomic<int> state{empty};
    std::array<char, max_path_bytes> path{};
  };
  std::array<Slot, capacity> slots_;
};

}  // namespace emgraph::core
