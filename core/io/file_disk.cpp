// SPDX-License-Identifier: MIT
// Progress of the transfers of a file disk, and the choice of the backend.
#include "core/io/file_disk.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {
namespace {

// A direct transfer that ends inside a sector has reached the end of the file.
constexpr std::size_t sector_bytes = 512;

bool is_aligned(Request& request, std::size_t done) {
  if ((request.offset() + done) % page_bytes != 0) return false;
  return std::all_of(request.buffers().begin(), request.buffers().end(), [](const iovec& buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer.iov_base) % page_bytes == 0 &&
           buffer.iov_len % page_bytes == 0;
  });
}

}  // namespace

IssuedRequest::IssuedRequest(RequestPtr request) : request_(std::move(request)) {
  advance(0);
}

unsigned IssuedRequest::buffer_count() const {
  return static_cast<unsigned>(std::min<std::size_t>(request_->buffers().size() - first_, IOV_MAX));
}

void IssuedRequest::advance(std::size_t bytes) {
  done_ += bytes;
  std::vector<iovec>& buffers = request_->buffers();
  while (first_ < buffers.size() && bytes >= buffers[first_].iov_len) bytes -= buffers[first_++].iov_len;
  if (bytes == 0) return;
  buffers[first_].iov_base = static_cast<std::byte*>(buffers[first_].iov_base) + bytes;
  buffers[first_].iov_len -= bytes;
}

void IssuedRequest::tell() const {
  if (error_) {
    request_->fail(error_);
  } else {
    request_->complete(done_);
  }
}

FileDisk::FileDisk(File file, IoStatistics& statistics, TraceDevice device)
    : file_(std::move(file)),
      statistics_(statistics),
      device_(device),
      was_direct_(file_.direct()),
      direct_(was_direct_) {
  // A kept file has this space already. To allocate it again could fail, and a failure truncates the file.
  if (file_.is_regular()) reserved_bytes_ = file_.size();
}

RequestPtr FileDisk::submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) {
  auto request = std::make_shared<Request>(operation, offset, std::move(buffers), statistics_, device_);
  if (request->bytes() == 0) {
    request->complete(0);
  } else {
    start(IssuedRequest(request));
  }
  return request;
}

void FileDisk::reserve_space(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes <= reserved_bytes_) return;
  file_.allocate(reserved_bytes_, bytes - reserved_bytes_);
  reserved_bytes_ = bytes;
}

void FileDisk::release_space() {
  const std::lock_guard lock(mutex_);
  if (!file_.is_regular()) return;
  file_.truncate(0);
  reserved_bytes_ = 0;
}

bool FileDisk::take_result(IssuedRequest& transfer, std::int64_t result) noexcept {
  Request& request = transfer.request();
  if (result < 0) {
    const int error_number = static_cast<int>(-result);
    // ECANCELED: io_uring drops queued work of a thread that exits; the disk's own thread issues it again.
    const bool again = error_number == EINTR || error_number == EAGAIN || error_number == ECANCELED;
    if (again && ++transfer.interruptions < most_interruptions) return false;
    if (error_number == EINVAL && fall_back_to_buffered(transfer)) return false;
    fail(transfer, error_number);
    return true;
  }
  if (result == 0) {
    if (request.operation() == Operation::write) fail(transfer, EIO);
    return true;
  }
  transfer.interruptions = 0;
  transfer.advance(static_cast<std::size_t>(result));
  const bool at_end =
      request.operation() == Operation::read && direct() && transfer.done() % sector_bytes != 0;
  return transfer.done() == request.bytes() || at_end;
}

std::int64_t FileDisk::transfer_once(const IssuedRequest& transfer) const {
  const auto offset = static_cast<off_t>(transfer.offset());
  const int count = static_cast<int>(transfer.buffer_count());
  const ssize_t result = transfer.request().operation() == Operation::read
                             ? preadv(descriptor(), transfer.buffers(), count, offset)
                             : pwritev(descriptor(), transfer.buffers(), count, offset);
  return result < 0 ? -errno : result;
}

void FileDisk::perform(IssuedRequest& transfer) {
  transfer.request().mark_issued();
  while (!take_result(transfer, transfer_once(transfer))) {
  }
  transfer.request().mark_returned();
  transfer.tell();
}

void FileDisk::fail(IssuedRequest& transfer, int error_number) const noexcept {
  const Request& request = transfer.request();
  try {
    const std::string what =
        std::string(request.operation() == Operation::read ? "cannot read " : "cannot write ") +
        std::to_string(request.bytes() - transfer.done()) + " bytes at offset " +
        std::to_string(transfer.offset());
    transfer.fail(std::make_exception_ptr(EnvironmentError::system(path(), what, error_number)));
  } catch (...) {
    transfer.fail(std::current_exception());
  }
}

bool FileDisk::fall_back_to_buffered(IssuedRequest& transfer) noexcept {
  // A request that is not aligned is an error of the caller and must be reported.
  if (transfer.retried_buffered || !is_aligned(transfer.request(), transfer.done())) return false;
  transfer.retried_buffered = true;
  const std::lock_guard lock(mutex_);
  // Another request may have switched the file to buffered I/O while this one was in flight.
  if (!direct()) return was_direct_;
  if (!file_.fall_back_to_buffered()) return false;
  direct_.store(false, std::memory_order_relaxed);
  return true;
}

std::unique_ptr<Disk> make_file_disk(File file, DiskBackend backend, IoStatistics& statistics,
                                     unsigned queue_depth, TraceDevice device) {
  queue_depth = std::max(queue_depth, 1U);
  switch (backend) {
    case DiskBackend::memory:
      throw UsageError(file.path() + ": a memory disk has no file");
    case DiskBackend::uring:
      if (auto disk = make_uring_disk(file, statistics, queue_depth, device)) return disk;
      break;
    case DiskBackend::automatic:
      if (uring_available()) {
        try {
          if (auto disk = make_uring_disk(file, statistics, queue_depth, device)) return disk;
        } catch (const EnvironmentError&) {
          // No locked memory or no descriptors: worker threads do the same work, or the caller does.
        }
      }
      break;
    case DiskBackend::pread:
      break;
  }
  return make_pread_disk(std::move(file), statistics, queue_depth, device);
}

}  // namespace emgraph::core
