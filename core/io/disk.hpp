// SPDX-License-Identifier: MIT
// A disk: a linear space of bytes that is read and written asynchronously.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/io/file.hpp"
#include "core/io/request.hpp"
#include "core/io/statistics.hpp"

namespace emgraph::core {

/// How transfers reach the kernel. `automatic` takes io_uring where the kernel has it, else pread.
enum class DiskBackend { automatic, uring, pread, memory };

/// Thread-safe. Requests may complete in any order. Destruction waits for all requests.
/// With direct I/O offset, sizes and addresses must be multiples of `page_bytes`.
class Disk {
 public:
  virtual ~Disk() = default;

  /// Enqueues a transfer between `offset` and the buffers, in order. Throws nothing but bad_alloc:
  /// errors (EnvironmentError with path and offset) arrive through Request::wait().
  virtual RequestPtr submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) = 0;

  RequestPtr read(std::uint64_t offset, std::span<std::byte> buffer);
  RequestPtr write(std::uint64_t offset, std::span<const std::byte> buffer);

  /// Makes sure `bytes` bytes from 0 on exist on the medium. Throws EnvironmentError (disk full).
  /// Requires: what has been written lies in space reserved before, or no space has been reserved at all.
  virtual void reserve_space(std::uint64_t bytes) = 0;
  /// Where the disk is, for messages.
  virtual const std::string& path() const = 0;
  virtual bool direct() const = 0;
};

/// A disk on an open file, backends `uring`, `pread` or `automatic`. Takes the file.
/// `queue_depth`: requests in flight (pread: worker threads). `device`: what it is in the trace.
// Measured: 8 GiB in 1 MiB direct requests into reserved space on ext4, then read back: GB/s written, GB/s
// read, CPU seconds of both together; mean of two runs, other work on the machine. Depth 2, 4, 8, 16:
//   io_uring  2.5 1.1 1.09 | 3.5 3.8 0.35 | 3.7 4.0 0.22 | 3.5 3.9 0.20
//   pread     3.0 2.1 1.20 | 3.8 3.5 0.46 | 4.0 3.8 0.31 | 3.8 3.8 0.38
// The rates do not tell them apart, the CPU does; beyond depth 8 nothing is won. (AMD EPYC, 2 virtual cores
// and a virtual disk whose host may cache, November 2026, throw-away program)
inline constexpr unsigned default_queue_depth = 8;
std::unique_ptr<Disk> make_file_disk(File file, DiskBackend backend, IoStatistics& statistics,
                                     unsigned queue_depth = default_queue_depth,
                                     TraceDevice device = TraceDevice::unnamed);

/// A disk in memory, for tests. Not charged to any budget. `capacity_bytes` = disk full beyond.
std::unique_ptr<Disk> make_memory_disk(IoStatistics& statistics,
                                       std::uint64_t capacity_bytes = ~std::uint64_t{0},
                                       TraceDevice device = TraceDevice::unnamed);

/// True when this kernel lets us set up an io_uring.
bool uring_available();

}  // namespace emgraph::core
