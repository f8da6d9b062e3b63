// SPDX-License-Identifier: MIT
// The space of one disk: its free byte ranges, and its growth.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// Free ranges below the high-water mark are found by size (best fit, lowest offset first) and by offset (to
/// merge neighbours). All bytes from the high-water mark on are free. Not thread-safe.
class DiskSpace {
 public:
  /// Offset of a range of `bytes` bytes (at least 1) below the high-water mark; nullopt if there is none.
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  /// Takes `bytes` bytes at the high-water mark, which moves up. Returns their offset.
  std::uint64_t extend(std::uint64_t bytes);
  /// Takes exactly this range. Bytes between the old high-water mark and the range become free. False if a
  /// part of it is in use.
  bool claim(std::uint64_t offset, std::uint64_t bytes);
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

/// Reserves space on a disk ahead of the writes. The kernel executes writes that extend a file one at a time;
/// writes into existing space run in parallel.
class GrowingSpace {
 public:
  /// `step_bytes`: bytes per step; 0: 64 MiB at first, then as much as exists already, up to 1 GiB.
  explicit GrowingSpace(std::uint64_t step_bytes = 0) : step_bytes_(step_bytes) {}
  /// The step for a file: small on tmpfs, where unused space takes memory from the machine.
  static std::uint64_t step_for(const File& file);

  /// Ensures that bytes 0 … bytes - 1 exist; reserves more, up to `limit`, if the disk has more.
  /// Throws EnvironmentError (disk full).
  void ensure(Disk& disk, std::uint64_t bytes, std::uint64_t limit = ~std::uint64_t{0});
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }
  /// The disk has released its space.
  void forget() { reserved_bytes_ = 0; }

 private:
  std::uint64_t step_bytes_;
  std::uint64_t reserved_bytes_ = 0;
};

}  // namespace emgraph::core
