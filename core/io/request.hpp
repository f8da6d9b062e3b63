// SPDX-License-Identifier: MIT
// One asynchronous transfer of a Disk, with its result or its error.
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
  /// Blocks until done, counted as I/O wait; rethrows the error of the request.
  /// Returns the bytes transferred: fewer than `bytes()` only if a read reaches the end of the file.
  std::size_t wait();
  /// Blocks until done and ignores the error: for destructors that must not free a buffer in flight.
  void wait_ignoring_error() noexcept;
  /// After this call, wait() throws an EnvironmentError that names `path` if the read reaches the end of the
  /// file.
  void require_full_read(std::string path);
  /// The first wait() after the transfer calls `check`, on the waiting thread, which is about to use the
  /// data. What `check` throws is the error of the request.
  void check_with(std::function<void()> check);
  /// Calls `call` when the request is done, successfully or not; at once if it is done already. `call` must
  /// not throw. Requires: no other call is registered.
  void when_done(std::function<void()> call);

  /// Seconds between issue and return by the kernel; for a disk without system calls, since the construction
  /// of the request. Requires: done.
  double service_seconds() const;

  // For disks.
  /// The request is issued to the kernel now.
  void mark_issued() { issued_ = std::chrono::steady_clock::now(); }
  /// The kernel has returned the request; `complete` or `fail` follows.
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
  std::function<void()> check_;
  std::chrono::steady_clock::time_point issued_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point returned_{};
  std::function<void()> when_done_;
};

using RequestPtr = std::shared_ptr<Request>;

/// Calls `set_up(request)` of a transfer that is under way. If it throws, waits first: the caller will free
/// the buffer.
template <class SetUp>
RequestPtr prepared(RequestPtr request, SetUp&& set_up) {
  try {
    set_up(*request);
  } catch (...) {
    request->wait_ignoring_error();
    throw;
  }
  return request;
}

}  // namespace emgraph::core
