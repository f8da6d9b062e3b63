// SPDX-License-Identifier: MIT
// The free byte ranges of one disk.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace emgraph::core {

/// Free ranges below the high-water mark are found by size (best fit, lowest offset first) and by offset (to
/// merge neighbours). All bytes from the high-water mark on are free. Not thread-safe.
class DiskSpace {
 public:
  /// Offset of a range of `bytes` bytes (at least 1) below the high-water mark; nullopt if there is none.
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  /// Takes `bytes` bytes at the high-water mark, which moves up. Returns their offset.
  std::uint64_t extend(std::uint64_t bytes);
  /// Frees a range that was taken, or a part of one. Without memory to note it, the range stays unused.
  void give(std::uint64_t offset, std::uint64_t bytes) noexcept;

  std::uint64_t high_water_bytes() const { return high_water_bytes_; }

 private:
  using ByOffset = std::map<std::uint64_t, std::uint64_t>;
  void insert(std::uint64_t offset, std::uint64_t bytes);
  void erase(ByOffset::iterator range);
  ByOffset by_offset_;                                         // offset -> bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // (bytes, offset)
  std::uint64_t high_water_bytes_ = 0;
};

}  // namespace emgraph::core
