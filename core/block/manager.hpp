// SPDX-License-Identifier: MIT
// Space for blocks on D parallel disks: allocation by a striping strategy, release, asynchronous access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/block/disk_spec.hpp"
#include "core/block/extent.hpp"
#include "core/block/strategy.hpp"
#include "core/io/disk.hpp"

namespace emgraph::core {

/// Thread-safe. Disk files are created on the first allocation, have no name, and vanish with the process.
class BlockManager {
 public:
  /// Extents are multiples of this, bytes.
  static constexpr std::size_t granularity_bytes = 4096;

  /// Checks that every directory can be written (EnvironmentError).
  BlockManager(std::vector<DiskSpec> disks, AllocationStrategy strategy, std::uint64_t seed,
               IoStatistics& statistics);
  /// Test seam: takes ready-made disks (memory, faulty).
  BlockManager(std::vector<std::unique_ptr<Disk>> disks, AllocationStrategy strategy, std::uint64_t seed,
               IoStatistics& statistics);
  ~BlockManager();

  std::size_t disks() const;
  /// Space for `bytes` (rounded up to the granularity) on one disk, chosen by the strategy; a disk that is
  /// full is passed over, and a slow one as often as it is slow (DiskShares). Throws EnvironmentError when
  /// all are full, naming them and the bytes in use.
  Extent allocate(std::uint64_t bytes);
  /// The same on disk number `disk`, whatever the strategy. Throws EnvironmentError when it is full.
  Extent allocate_on(std::size_t disk, std::uint64_t bytes);
  /// The extent (or a prefix/suffix of it cut by the caller at multiples of the granularity) is free again.
  void free(const Extent& extent) noexcept;

  /// Reads exactly `buffer.size()` bytes (a multiple of the granularity, at most the extent's bytes) from the
  /// extent's start.
  RequestPtr read(const Extent& extent, std::span<std::byte> buffer);
  /// Scatter read: the same into several buffers in turn, each a multiple of the granularity.
  RequestPtr read(const Extent& extent, const std::vector<std::span<std::byte>>& buffers);
  /// Gather write of buffers whose sizes add up to at most the extent's bytes, multiples of the granularity.
  RequestPtr write(const Extent& extent, std::vector<std::span<const std::byte>> buffers);

  /// What can still be allocated, as far as the file systems tell now: others may write to them, too.
  std::uint64_t free_bytes() const;
  /// Whether transfers of disk number `disk` go around the page cache. Requires: it has given an extent.
  bool direct(std::size_t disk) const;
  /// What the disks together write in a second, each as declared by its limit or as seen; those that have
  /// shown nothing yet count like the others on average. 0: not known of any.
  double bytes_per_second() const;
  /// All disks have a declared limit: what bytes_per_second() says does not rest on how busy they were.
  bool speed_declared() const;
  std::uint64_t used_bytes() const;
  std::uint64_t peak_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
