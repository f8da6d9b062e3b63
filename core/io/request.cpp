// SPDX-License-Identifier: MIT
// Completion of a request. Each request has its own mutex and condition variable, so that waiting threads do
// not contend for a lock.
#include "core/io/request.hpp"

#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::core {

Request::Request(Operation operation, std::uint64_t offset, std::vector<iovec> buffers,
                 IoStatistics& statistics, TraceDevice device)
    : transfer_(statistics, operation, offset, device), buffers_(std::move(buffers)) {
  for (const iovec& buffer : buffers_) bytes_ += buffer.iov_len;
}

bool Request::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::size_t Request::wait() {
  std::unique_lock lock(mutex_);
  if (!done_) {
    const IoWait waiting(transfer_.statistics(),
                         operation() == Operation::read ? "wait for read" : "wait for write");
    changed_.wait(lock, [this] { return done_; });
  }
  if (error_) std::rethrow_exception(error_);
  if (!full_read_of_.empty() && transferred_ < bytes_) {
    throw EnvironmentError(full_read_of_ + ": unexpected end: read " + std::to_string(transferred_) + " of " +
                           std::to_string(bytes_) + " bytes at offset " + std::to_string(offset()));
  }
  if (check_) {
    try {
      std::exchange(check_, nullptr)();
    } catch (...) {
      error_ = std::current_exception();
      throw;
    }
  }
  return transferred_;
}

void Request::wait_ignoring_error() noexcept {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
}

void Request::require_full_read(std::string path) {
  const std::lock_guard lock(mutex_);
  full_read_of_ = std::move(path);
}

void Request::check_with(std::function<void()> check) {
  const std::lock_guard lock(mutex_);
  check_ = std::move(check);
}

void Request::when_done(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  if (done_) {
    call();
  } else {
    when_done_ = std::move(call);
  }
}

void Request::complete(std::size_t transferred) {
  // The transfer is counted before the waiting thread wakes, so a snapshot taken after wait() includes it.
  transfer_.complete(transferred);
  std::unique_lock lock(mutex_);
  transferred_ = transferred;
  finish(std::move(lock));
}

void Request::fail(std::exception_ptr error) {
  transfer_.fail();
  std::unique_lock lock(mutex_);
  error_ = std::move(error);
  finish(std::move(lock));
}

double Request::service_seconds() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(returned_ - issued_).count();
}

void Request::finish(std::unique_lock<std::mutex> lock) {
  if (returned_ == std::chrono::steady_clock::time_point{}) mark_returned();
  done_ = true;
  if (when_done_) when_done_();
  // Unlocks first, so that the woken thread finds the lock free. The disk still holds the request.
  lock.unlock();
  changed_.notify_all();
}

}  // namespace emgraph::core
