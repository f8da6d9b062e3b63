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

/// The system calls of transfers. `automatic` is io_uring if the kernel has it, else pread.
enum class DiskBackend { automatic, uring, pread, memory };

/// Thread-safe. Requests may complete in any order. Destruction waits for all requests.
/// With direct I/O, offsets, sizes and addresses must be multiples of `page_bytes`.
class Disk {
 public:
  virtual ~Disk() = default;

  /// Enqueues a transfer between `offset` and the buffers, in their order. Throws bad_alloc only; I/O errors
  /// (EnvironmentError with path and offset) are thrown by Request::wait().
  virtual RequestPtr submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) = 0;

  RequestPtr read(std::uint64_t offset, std::span<std::byte> buffer) {
    return submit(Operation::read, offset, {iovec{buffer.data(), buffer.size()}});
  }
  RequestPtr write(std::uint64_t offset, std::span<const std::byte> buffer) {
    return submit(Operation::write, offset, {iovec{const_cast<std::byte*>(buffer.data()), buffer.size()}});
  }

  /// Ensures that bytes 0 … bytes - 1 exist on the medium. Throws EnvironmentError (disk full).
  /// Requires: all earlier writes lie in space reserved before, or no space was ever reserved.
  virtual void reserve_space(std::uint64_t bytes) = 0;
  /// Gives all space back to the file system, if the disk is a file; the data are lost. Throws
  /// EnvironmentError. Requires: no transfer is in flight or submitted meanwhile.
  virtual void release_space() {}
  /// The path of the disk, for messages.
  virtual const std::string& path() const = 0;
  virtual bool direct() const = 0;
};

/// A disk on an open file; backend `uring`, `pread` or `automatic`. Takes over the file.
/// `queue_depth`: requests in flight (pread: worker threads). `device`: its number in the trace.
// Measured: 8 GiB in 1 MiB direct requests into reserved space on ext4, then read back: GB/s written, GB/s
// read, CPU seconds of both together; mean of two runs, other work on the machine. Depth 2, 4, 8, 16:
//   io_uring  2.5 1.1 1.09 | 3.5 3.8 0.35 | 3.7 4.0 0.22 | 3.5 3.9 0.20
//   pread     3.0 2.1 1.20 | 3.8 3.5 0.46 | 4.0 3.8 0.31 | 3.8 3.8 0.38
// The rates are the same; io_uring takes less CPU time. More than depth 8 gains nothing. (AMD EPYC, 2 virtual
// cores and a virtual disk whose host may cache, November 2026, throw-away program)
inline constexpr unsigned default_queue_depth = 8;
std::unique_ptr<Disk> make_file_disk(File file, DiskBackend backend, IoStatistics& statistics,
                                     unsigned queue_depth = default_queue_depth,
                                     TraceDevice device = TraceDevice::unnamed);

/// A disk in memory, for tests. Not charged to any budget. It is full beyond `capacity_bytes`.
std::unique_ptr<Disk> make_memory_disk(IoStatistics& statistics,
                                       std::uint64_t capacity_bytes = ~std::uint64_t{0},
                                       TraceDevice device = TraceDevice::unnamed);

/// True if this process can set up an io_uring.
bool uring_available();

}  // namespace emgraph::core
