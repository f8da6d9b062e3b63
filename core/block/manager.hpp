// SPDX-License-Identifier: MIT
// Space for blocks on D parallel disks: allocation by a striping strategy, release, asynchronous access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/block/disk_spec.hpp"
#include "core/block/seal.hpp"
#include "core/block/strategy.hpp"
#include "core/io/disk.hpp"

namespace emgraph::core {

/// `bytes` bytes at `offset` of disk number `disk` of a BlockManager.
struct Extent {
  std::uint32_t disk = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Thread-safe. A disk is opened on the first allocation. Its file has no name and vanishes with the process,
/// unless it is a kept file (DiskSpec::kept_file) or a block device.
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
  /// Allocates `bytes` (rounded up to the granularity) on one disk, chosen by the strategy. Full disks are
  /// skipped, slow ones in proportion to their speed (DiskShares). Throws EnvironmentError if all disks are
  /// full; the message names them and the bytes in use.
  Extent allocate(std::uint64_t bytes);
  /// Allocates on disk number `disk`. Throws EnvironmentError if it is full.
  Extent allocate_on(std::size_t disk, std::uint64_t bytes);
  /// Allocates exactly this extent, which a manager over the same disks has given out before. Its contents
  /// stay. Throws EnvironmentError if there is no such disk or a part of the extent is in use.
  void claim(const Extent& extent);
  /// Frees an extent, or a part of one cut at multiples of the granularity. A kept file does not use the
  /// space again, because a journal may name it, unless `unnamed` says that none does.
  void free(const Extent& extent, bool unnamed = false) noexcept;

  /// Reads exactly `buffer.size()` bytes from the start of the extent. Request::wait() throws
  /// EnvironmentError ("temporary data was changed") unless they are the bytes of which `expected` is the
  /// seal. Requires: a multiple of the granularity, at most the bytes of the extent.
  RequestPtr read(const Extent& extent, std::span<std::byte> buffer, Seal expected);
  /// Scatter read without a check, for data that carries a check of its own: fills several buffers one after
  /// another. Requires: each is a multiple of the granularity.
  RequestPtr read_unsealed(const Extent& extent, const std::vector<std::span<std::byte>>& buffers);
  /// Gather write of several buffers to the start of the extent. The caller keeps the seal of each piece that
  /// it will read. Requires: each buffer is a multiple of the granularity, and together they have at most the
  /// bytes of the extent.
  RequestPtr write(const Extent& extent, std::vector<std::span<const std::byte>> buffers);

  /// Bytes that can still be allocated, as the file systems report now. Other programs may use the same
  /// space.
  std::uint64_t free_bytes() const;
  /// The error of temporary data on a disk that is not what was written.
  EnvironmentError changed(const Extent& extent) const;
  /// True if transfers of disk number `disk` bypass the page cache. Requires: an extent was allocated on it.
  bool direct(std::size_t disk) const;
  /// Write bandwidth of all disks together, bytes per second: declared limits, else measured speeds. A disk
  /// without either counts as the average of the others. 0: no speed is known.
  double bytes_per_second() const;
  /// True if all disks have a declared limit, so that bytes_per_second() does not depend on measurements.
  bool speed_declared() const;
  std::uint64_t used_bytes() const;
  std::uint64_t peak_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
