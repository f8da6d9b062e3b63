// SPDX-License-Identifier: MIT
// One asynchronous transfer: submitted to a Disk, carries its result or its error.
#pragma once

#include <sys/uio.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/io/statistics.hpp"

namespace emgraph::core {

/// State shared by the submitter and the disk. The buffers must stay valid until `done()`.
class Request {
 public:
  Request(Operation operation, std::uint64_t offset, std::vector<iovec> buffers, IoStatistics& statistics,
          TraceDevice device = TraceDevice::unnamed);

  Operation operation() const { return transfer_.operation(); }
  std::uint64_t offset() const { return transfer_.offset(); }
  std::size_t bytes() const { return bytes_; }
  std::vector<iovec>& buffers() { return buffers_; }

  bool done() const;
  /// Blocks until done (counted as I/O wait if it has to); rethrows the request's error.
  /// Returns the bytes transferred: less than `bytes()` only for a read that meets the end of the file.
  std::size_t wait();
  /// Blocks until done and ignores the error: for destructors that must not free a buffer in flight.
  void settle() noexcept;
  /// Makes a read that meets the end of the file an EnvironmentError of wait(), naming `path`.
  void require_full_read(std::string path);
  /// Calls `call`, which throws nothing, when the request is done, well or badly: now, if it is already.
  /// Requires: no other call is waiting.
  void when_done(std::function<void()> call);

  /// Seconds that the kernel had it; all since its making where a disk has no kernel. Requires: done.
  double service_seconds() const;

  // For disks.
  /// The kernel gets it now.
  void mark_issued() { issued_ = std::chrono::steady_clock::now(); }
  /// The kernel has given it back; `complete` or `fail` follows.
  void mark_returned() { returned_ = std::chrono::steady_clock::now(); }
  void complete(std::size_t transferred);
  void fail(std::exception_ptr error);

 private:
  void finish(std::unique_lock<std::mutex> lock);
  IoTransfer transfer_;
  std::vector<iovec> buffers_;
  std::size_t bytes_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::size_t transferred_ = 0;
  std::exception_ptr error_;
  std::string full_read_of_;
  std::chrono::steady_clock::time_point issued_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point returned_{};
  std::function<void()> when_done_;
};

using RequestPtr = std::shared_ptr<Request>;

}  // namespace emgraph::core
