// SPDX-License-Identifier: MIT
// Measures the disks of a session, one by one and together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/run/session.hpp"
#include "core/block/disk_area.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::apps {

/// The bandwidth of all transfers, and of single batches.
struct TransferRate {
  std::uint64_t bytes = 0;
  double seconds = 0;
  std::size_t batches = 0;
  double least = 0;  ///< bytes per second
  double median = 0;
  double most = 0;

  double bytes_per_second() const { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }
};

/// Random reads of several disks at once; latencies in seconds.
struct RandomReadRate {
  std::uint64_t reads = 0;
  double seconds = 0;
  double median = 0;
  double percentile_95 = 0;
  double percentile_99 = 0;
  double most = 0;
};

/// Areas on all disks of a session. It holds their space and memory during its lifetime.
class DiskMeasurement {
 public:
  /// Called after each batch with disk, bytes and seconds, from one thread per disk.
  using BatchDone = std::function<void(const std::string& disk, std::uint64_t bytes, double seconds)>;

  /// Allocates an area of `shape` on each disk. The blocks of all areas take shape.memory_bytes. Memory disks
  /// are charged. Throws EnvironmentError (disk full), MemoryLimitError.
  DiskMeasurement(Session& session, const core::AreaShape& shape, BatchDone done);
  ~DiskMeasurement();

  std::size_t disks() const { return areas_.size(); }
  const std::string& name(std::size_t disk) const { return names_[disk]; }
  /// Transfers the areas of disks first … first + count - 1 at the same time.
  TransferRate transfer(core::Operation operation, std::size_t first, std::size_t count);
  RandomReadRate read_at_random(std::size_t first, std::size_t count, std::uint64_t reads, std::size_t bytes,
                                double most_seconds);

 private:
  Session& session_;
  const core::AreaShape shape_;
  const BatchDone done_;
  std::vector<std::string> names_;
  std::vector<core::Reservation> charged_;
  std::vector<std::unique_ptr<core::DiskArea>> areas_;
};

/// Largest power of two up to 1 MiB such that `blocks` blocks fit into `memory_bytes`; at least 4 KiB.
std::size_t fitting_block_bytes(std::size_t memory_bytes, std::uint64_t blocks);

}  // namespace emgraph::apps
