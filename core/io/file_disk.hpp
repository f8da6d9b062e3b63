// SPDX-License-Identifier: MIT
// What the disks on files share: the file, partial transfers, the fall-back from direct I/O, error messages.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// A request on its way: how much is done, which buffers are left, how it ended.
class IssuedRequest {
 public:
  explicit IssuedRequest(RequestPtr request);
  Request& request() const { return *request_; }
  std::size_t done() const { return done_; }
  std::uint64_t offset() const { return request_->offset() + done_; }
  /// What is left, at most as many buffers as one system call takes.
  iovec* buffers() const { return request_->buffers().data() + first_; }
  unsigned buffer_count() const;
  void advance(std::size_t bytes);
  void fail(std::exception_ptr error) { error_ = std::move(error); }
  /// Tells the request how it ended, which wakes those who wait.
  void tell() const;

  bool retried_buffered = false;  ///< was refused as direct I/O and issued again
  unsigned interruptions = 0;     ///< system calls in a row that were to be made again and moved nothing

 private:
  RequestPtr request_;
  std::size_t done_ = 0;
  std::size_t first_ = 0;
  std::exception_ptr error_;
};

/// Base of the disks on a file. `take_result` is called from any thread, once per system call of a transfer.
class FileDisk : public Disk {
 public:
  FileDisk(File file, IoStatistics& statistics, TraceDevice device = TraceDevice::unnamed);
  RequestPtr submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) final;
  void reserve_space(std::uint64_t bytes) final;
  void release_space() final;
  const std::string& path() const final { return file_.path(); }
  bool direct() const final { return direct_.load(std::memory_order_relaxed); }

 protected:
  /// Starts the transfer, whose result is told later by tell(). Requires: it has at least one byte.
  virtual void start(IssuedRequest transfer) = 0;
  /// Digests the result of one system call (bytes or -errno). True: the transfer has ended, and `tell` is
  /// due. False: the rest of it has to be issued again.
  bool take_result(IssuedRequest& transfer, std::int64_t result) noexcept;
  /// Makes the whole transfer, or the rest of it, by preadv or pwritev on the calling thread, and tells it.
  void perform(IssuedRequest& transfer);
  /// Ends a transfer with an error that names path and offset.
  void fail(IssuedRequest& transfer, int error_number) const noexcept;
  int descriptor() const { return file_.descriptor(); }
  /// Gives the file back. Only destruction is allowed afterwards.
  File take_file() { return std::move(file_); }

 private:
  bool fall_back_to_buffered(IssuedRequest& transfer) noexcept;
  std::int64_t transfer_once(const IssuedRequest& transfer) const;
  File file_;
  IoStatistics& statistics_;
  const TraceDevice device_;
  const bool was_direct_;
  std::atomic<bool> direct_;
  std::mutex mutex_;  // guards file_'s mode and reserved_bytes_
  std::uint64_t reserved_bytes_ = 0;
};

/// Worker threads with preadv and pwritev.
std::unique_ptr<Disk> make_pread_disk(File file, IoStatistics& statistics, unsigned queue_depth,
                                      TraceDevice device);
/// One io_uring. Throws EnvironmentError if it cannot be set up. Null if there is no thread for it, or the
/// kernel takes no entry. In both cases the file is still the caller's.
std::unique_ptr<Disk> make_uring_disk(File& file, IoStatistics& statistics, unsigned queue_depth,
                                      TraceDevice device);

}  // namespace emgraph::core
