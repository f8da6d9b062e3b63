// SPDX-License-Identifier: MIT
// An area of one disk that is written, read back and checked: how fast is the disk as the sorter uses it?
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
  std::uint64_t batch_blocks = 1;  ///< times are taken after so many blocks, at least 1
  unsigned depth = 8;              ///< requests that the disk keeps in flight (DiskSpec::queue_depth)
  std::size_t memory_bytes = 0;    ///< for blocks; at least `depth`, at most twice as many or 4 MiB of them
};

/// Latencies of random reads in seconds, ascending.
struct RandomReads {
  Array<float> latencies;
  std::uint64_t reads = 0;
  double seconds = 0;
};

/// Method: more requests are on their way than the disk keeps in flight, blocks twice as many; the oldest is
/// waited for, checked or filled anew, and another goes out, so that the disk never waits for us; of random
/// reads many at a time, so that they do not wake us one by one. Batches are marks in time, not pauses. The
/// latency of a random read is the time that the kernel had it.
///
/// I/O: each block once per transfer.
/// Memory: shape.memory_bytes, if at least `depth` blocks fit, and 64 KiB; 4 bytes per random read, and up to
/// 256 + depth blocks of the size asked for.
/// Threads: one user; several areas may be used at once.
/// Throws: EnvironmentError (disk full, I/O error, a byte that is not what was written), MemoryLimitError.
class DiskArea {
 public:
  using Clock = std::chrono::steady_clock;
  /// Told of the bytes of each batch and the seconds it took.
  using BatchDone = std::function<void(std::uint64_t bytes, double seconds)>;

  /// Takes space and blocks. `name` is the disk's in messages.
  DiskArea(Environment& environment, std::size_t disk, std::string name, const AreaShape& shape);
  ~DiskArea();
  DiskArea(const DiskArea&) = delete;

  /// Seconds from `start` at which each batch was complete.
  std::vector<double> write(Clock::time_point start, const BatchDone& done);
  /// The same. Requires: the area has been written.
  std::vector<double> read(Clock::time_point start, const BatchDone& done);
  /// Up to `reads` reads of `bytes` bytes (a multiple of a page) at random multiples of it, no new one once
  /// `most_seconds` are over. Requires: the area has been written.
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
