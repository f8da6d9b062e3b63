// SPDX-License-Identifier: MIT
// One asynchronous transfer: submitted to a Disk, carries its result or its error.
#pragma once

#include <sys/uio.h>

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

enum class Operation { read, write };

/// State shared by the submitter and the disk. The buffers must stay valid until `done()`.
class Request {
 public:
  Request(Operation operation, std::uint64_t offset, std::vector<iovec> buffers, IoStatistics& statistics);

  Operation operation() const { return operation_; }
  std::uint64_t offset() const { return offset_; }
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

  // For disks.
  void complete(std::size_t transferred);
  void fail(std::exception_ptr error);

 private:
  void finish_locked();
  const Operation operation_;
  const std::uint64_t offset_;
  std::vector<iovec> buffers_;
  std::size_t bytes_ = 0;
  IoStatistics& statistics_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::size_t transferred_ = 0;
  std::exception_ptr error_;
  std::string full_read_of_;
  std::function<void()> when_done_;
};

using RequestPtr = std::shared_ptr<Request>;

}  // namespace emgraph::core
