// SPDX-License-Identifier: MIT
// A disk on a file by io_uring: one ring, submissions under a mutex, one thread that takes completions.
#include "core/base/error.hpp"
#include "core/io/file_disk.hpp"

#ifdef EMGRAPH_HAS_URING

#include <liburing.h>

#include <algorithm>
#include <boost/thread/thread.hpp>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <utility>

namespace emgraph::core {
namespace {

/// user_data of the no-operation that ends the completion thread, and of entries that carry nothing.
constexpr std::uint64_t stop_mark = 0;
constexpr std::uint64_t ignored_mark = 1;

/// At most `queue_depth` transfers are in the ring, the others wait in a backlog, first in, first out.
class UringDisk final : public FileDisk {
 public:
  /// Takes the ring, which was set up for at least `queue_depth` + 1 entries.
  UringDisk(File file, IoStatistics& statistics, unsigned queue_depth, TraceDevice device,
            const io_uring& ring)
      : FileDisk(std::move(file), statistics, device), queue_depth_(queue_depth), ring_(ring) {}

  ~UringDisk() override {
    {
      std::unique_lock lock(mutex_);
      drained_.wait(lock, [this] { return in_flight_ == 0; });
      if (completer_.joinable()) {
        io_uring_sqe* entry = io_uring_get_sqe(&ring_);
        io_uring_prep_nop(entry);
        io_uring_sqe_set_data64(entry, stop_mark);
        while (submit_locked() < 0) boost::this_thread::yield();
      }
    }
    if (completer_.joinable()) completer_.join();
    io_uring_queue_exit(&ring_);
  }

  /// Throws boost::thread_resource_error.
  void run() {
    completer_ = boost::thread([this] { take_completions(); });
  }

 private:
  void start(Transfer transfer) override {
    auto owned = std::make_unique<Transfer>(std::move(transfer));
    const std::lock_guard lock(mutex_);
    if (in_flight_ < queue_depth_) {
      ++in_flight_;
      issue_locked(std::move(owned));
    } else {
      backlog_.push_back(std::move(owned));
    }
  }

  // Puts a transfer that is counted in in_flight_ into the ring; the ring owns it from then on.
  void issue_locked(std::unique_ptr<Transfer> transfer) {
    while (transfer != nullptr) {
      io_uring_sqe* entry = io_uring_get_sqe(&ring_);
      if (transfer->request().operation() == Operation::read) {
        io_uring_prep_readv(entry, descriptor(), transfer->buffers(), transfer->buffer_count(),
                            transfer->offset());
      } else {
        io_uring_prep_writev(entry, descriptor(), transfer->buffers(), transfer->buffer_count(),
                             transfer->offset());
      }
      io_uring_sqe_set_data(entry, transfer.get());
      if (transfer->done() == 0) transfer->request().mark_issued();
      const int result = submit_locked();
      if (result >= 0) {
        static_cast<void>(transfer.release());
        return;
      }
      // The entry is in the queue and will go with the next submission: it must not touch the buffers then.
      io_uring_prep_nop(entry);
      io_uring_sqe_set_data64(entry, ignored_mark);
      fail(*transfer, -result);
      transfer = next_locked();
    }
  }

  // The transfer that takes the place of one that is finished.
  std::unique_ptr<Transfer> next_locked() {
    if (!backlog_.empty()) {
      std::unique_ptr<Transfer> next = std::move(backlog_.front());
      backlog_.pop_front();
      return next;
    }
    if (--in_flight_ == 0) drained_.notify_all();
    return nullptr;
  }

  int submit_locked() {
    for (;;) {
      const int result = io_uring_submit(&ring_);
      if (result != -EINTR && result != -EAGAIN && result != -EBUSY) return result;
      boost::this_thread::yield();
    }
  }

  void take_completions() {
    for (;;) {
      io_uring_cqe* completion = nullptr;
      if (io_uring_wait_cqe(&ring_, &completion) != 0) continue;  // interrupted
      const std::uint64_t mark = io_uring_cqe_get_data64(completion);
      const int result = completion->res;
      io_uring_cqe_seen(&ring_, completion);
      if (mark == stop_mark) return;
      if (mark == ignored_mark) continue;
      finish_step(std::unique_ptr<Transfer>(reinterpret_cast<Transfer*>(mark)), result);
    }
  }

  void finish_step(std::unique_ptr<Transfer> transfer, int result) {
    // The lock is taken before the transfer is touched: it orders us after the thread that filled it in.
    const std::lock_guard lock(mutex_);
    if (settle_step(*transfer, result)) transfer = next_locked();
    if (transfer != nullptr) issue_locked(std::move(transfer));
  }

  const unsigned queue_depth_;
  io_uring ring_;
  std::mutex mutex_;  // guards the submission side of ring_, backlog_ and in_flight_
  std::condition_variable drained_;
  std::deque<std::unique_ptr<Transfer>> backlog_;
  unsigned in_flight_ = 0;
  boost::thread completer_;
};

}  // namespace

std::unique_ptr<Disk> make_uring_disk(File& file, IoStatistics& statistics, unsigned queue_depth,
                                      TraceDevice device) {
  io_uring ring{};
  const int result = io_uring_queue_init(queue_depth + 1, &ring, IORING_SETUP_CLAMP);
  if (result < 0) throw EnvironmentError::system(file.path(), "cannot set up io_uring", -result);
  // One entry stays for the stop mark; CLAMP may have given fewer than asked.
  const unsigned depth = std::min(queue_depth, ring.sq.ring_entries - 1);
  auto disk = std::make_unique<UringDisk>(std::move(file), statistics, depth, device, ring);
  try {
    disk->run();
  } catch (const boost::thread_resource_error&) {
    throw EnvironmentError::system(disk->path(), "cannot start a thread", EAGAIN);
  }
  return disk;
}

bool uring_available() {
  static const bool available = [] {
    io_uring ring{};
    if (io_uring_queue_init(2, &ring, 0) < 0) return false;
    io_uring_queue_exit(&ring);
    return true;
  }();
  return available;
}

}  // namespace emgraph::core

#else

namespace emgraph::core {

std::unique_ptr<Disk> make_uring_disk(File& file, IoStatistics&, unsigned, TraceDevice) {
  throw EnvironmentError(file.path() + ": io_uring is not available in this build");
}

bool uring_available() {
  return false;
}

}  // namespace emgraph::core

#endif
