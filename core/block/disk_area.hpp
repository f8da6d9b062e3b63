// SPDX-License-Identifier: MIT
// Measures a disk: an area of it is written, read back and checked.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/block/area_pattern.hpp"
#include "core/environment.hpp"

namespace emgraph::core {

struct AreaShape {
  std::uint64_t bytes = 0;         ///< a multiple of block_bytes
  std::size_t block_bytes = 0;     ///< per request, a multiple of BlockManager::granularity_bytes
  std::uint64_t batch_blocks = 1;  ///< blocks between two measured times, at least 1
  unsigned depth = 8;              ///< requests that the disk keeps in flight (DiskSpec::queue_depth)
  std::size_t memory_bytes =
      0;  ///< for blocks: at least `depth` blocks; at most 2 * `depth` or 4 MiB are used
};

/// Latencies of random reads in seconds, ascending.
struct RandomReads {
  Array<float> latencies;
  std::uint64_t reads = 0;
  double seconds = 0;
};

/// Method: more requests are submitted than the disk keeps in flight, for blocks twice as many, so that the
/// disk is never idle. The thread waits for the oldest request, checks or refills its buffer, and submits it
/// again. It waits for many random reads at a time, to wake up less often. The end of a batch is a time
/// stamp; there is no pause. The latency of a random read is the time between its issue to the kernel and its
/// return.
///
/// I/O: each block once per write() and read().
/// Memory: shape.memory_bytes and 64 KiB; for random reads 4 bytes each, and up to 256 + depth buffers of the
/// requested size.
/// Threads: one user; several areas may be used at once.
/// Throws: EnvironmentError (disk full, I/O error, a byte read differs from the byte written),
/// MemoryLimitError.
class DiskArea {
 public:
  using Clock = std::chrono::steady_clock;
  /// Called with the bytes of each batch and the seconds it took.
  using BatchDone = std::function<void(std::uint64_t bytes, double seconds)>;

  /// Allocates space on the disk and memory for blocks. `name`: name of the disk in messages.
  DiskArea(Environment& environment, std::size_t disk, std::string name, const AreaShape& shape);
  ~DiskArea();
  DiskArea(const DiskArea&) = delete;

  /// Writes the area. Returns the times, seconds after `start`, at which each batch was complete.
  std::vector<double> write(Clock::time_point start, const BatchDone& done);
  /// Reads and checks the area; returns the same. Requires: the area has been written.
  std::vector<double> read(Clock::time_point start, const BatchDone& done);
  /// Makes up to `reads` reads of `bytes` bytes (a multiple of a page) at random multiples of `bytes`. Starts
  /// no read after `most_seconds`. Requires: the area has been written.
  RandomReads read_at_random(std::uint64_t reads, std::size_t bytes, double most_seconds);

 private:
  std::vector<double> transfer(Operation operation, Clock::time_point start, const BatchDone& done);
  std::span<std::byte> slot(std::uint64_t block) const;
  RequestPtr submit(Operation operation, std::uint64_t block);
  Extent part(std::uint64_t offset, std::uint64_t bytes) const;
  void check(std::uint64_t offset, std::span<const std::byte> bytes) const;

  Environment& environment_;
  const std::string name_;
  const AreaShape shape_;
  AreaPattern pattern_;
  Buffer blocks_;
  Extent extent_;
};

}  // namespace emgraph::core
