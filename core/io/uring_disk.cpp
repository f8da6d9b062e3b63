// SPDX-License-Identifier: MIT
// A disk on a file by io_uring: one ring, submissions under a mutex, one thread that reaps completions.
#include "core/base/error.hpp"
#include "core/io/file_disk.hpp"

#ifdef EMGRAPH_HAS_URING

#include <liburing.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/thread/thread.hpp>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace emgraph::core {
namespace {

/// Values of user_data: of the poll that ends the completion thread, and of the transfer in slot 0; the other
/// slots follow.
constexpr std::uint64_t stop_mark = 0;
constexpr std::uint64_t first_slot_mark = 1;

constexpr unsigned completions_at_a_time = 4;

/// Large transfers keep a disk busy by themselves, and many of them at once delay each other. Single pages
/// come faster the more of them are in flight. Measured: 4 KiB direct reads per second at depth 1, 8, 32, 64:
/// 6,100, 21,800, 33,000, 38,600 (AMD EPYC, 2 virtual cores, virtual disk, November 2026, threads with
/// preadv).
constexpr std::size_t small_bytes = 64 * KiB;
constexpr unsigned small_per_large = 4;

/// A kernel that is out of memory for the moment takes an entry a little later.
constexpr unsigned most_submissions = 1000;
constexpr auto pause_after_error = std::chrono::milliseconds(1);

/// A ring and the eventfd that it polls. Throws EnvironmentError.
class RingWithEvent {
 public:
  /// The kernel may give fewer entries.
  RingWithEvent(const std::string& path, unsigned entries) : event_(eventfd(0, EFD_CLOEXEC)) {
    if (event_ < 0) throw EnvironmentError::system(path, "cannot set up io_uring", errno);
    const int result = io_uring_queue_init(entries, &ring_, IORING_SETUP_CLAMP);
    if (result == 0) return;
    close(event_);
    throw EnvironmentError::system(path, "cannot set up io_uring", -result);
  }
  RingWithEvent(const RingWithEvent&) = delete;
  ~RingWithEvent() {
    io_uring_queue_exit(&ring_);
    close(event_);
  }

  io_uring* ring() { return &ring_; }
  int event() const { return event_; }

 private:
  const int event_;
  io_uring ring_{};
};

/// At most `queue_depth` large transfers, and small_per_large times as many of any size, are in the ring; the
/// others wait in a backlog, first in, first out.
///
/// Method: the thread reaps a few completions at a time. It issues their successors before it wakes the
/// waiting threads, so that the disk is busy meanwhile, and it holds no lock while it wakes them. Each
/// successor is submitted by its own system call: the kernel would start the transfers of one call only after
/// the last of them has been prepared.
///
/// If the kernel refuses an entry for good, the ring gets no more of them: `broken_`. Transfers in flight
/// still complete; all others are made by preadv and pwritev, on the thread that submits them. The same holds
/// if the kernel cancels a transfer a second time. It makes some on threads of its own, and cancels them if a
/// limit (a control group, ulimit -u) refuses it these threads. The end of the
/// completion thread needs no submission: from its start the ring polls an eventfd, which the destructor
/// sets.
// Measured: random 4 KiB direct reads per second against fio 3.33 just before, three runs, other work on the
// machine. Depth 8: a call for each successor and up to 4 completions at a time 1.12 1.03 0.96; one call for
// the successors of all completions there are 0.79 0.75 0.98. Depth 32: 0.90 0.99 1.04; 0.77 0.76 0.85. (AMD
// EPYC, 2 virtual cores, virtual disk, November 2026, the second by a throw-away change)
class UringDisk final : public FileDisk {
 public:
  /// `ring`: of more than `slots` entries.
  UringDisk(File file, IoStatistics& statistics, unsigned queue_depth, unsigned slots, TraceDevice device,
            std::unique_ptr<RingWithEvent> ring)
      : FileDisk(std::move(file), statistics, device),
        ring_(std::move(ring)),
        queue_depth_(queue_depth),
        in_ring_(slots) {
    free_.reserve(slots);
    for (unsigned slot = slots; slot > 0; --slot) free_.push_back(slot - 1);
  }

  ~UringDisk() override {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return drained_locked(); });
    }
    if (completer_.joinable()) {
      eventfd_write(ring_->event(), 1);
      completer_.join();
    }
  }

  /// Starts the completion thread. False: the system gave no thread, or the kernel took no entry. The file is
  /// then given back.
  bool run(File& file) {
    try {
      completer_ = boost::thread([this] { complete(); });
    } catch (...) {
      file = take_file();
      return false;
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return armed_ || broken_; });
    if (armed_) return true;
    lock.unlock();
    completer_.join();
    file = take_file();
    return false;
  }

 private:
  void start(IssuedRequest transfer) override {
    std::unique_lock lock(mutex_);
    backlog_.push_back(std::move(transfer));
    fill_ring_locked();
    if (broken_) work_off(lock);
  }

  static bool is_large(const IssuedRequest& transfer) { return transfer.request().bytes() > small_bytes; }
  bool drained_locked() const { return free_.size() == in_ring_.size() && backlog_.empty(); }

  // Issues transfers of the backlog while slots are free. If the ring is or gets broken, they stay there.
  void fill_ring_locked() {
    while (!broken_ && !free_.empty() && !backlog_.empty() &&
           (large_in_ring_ < queue_depth_ || !is_large(backlog_.front()))) {
      const unsigned slot = free_.back();
      in_ring_[slot].emplace(std::move(backlog_.front()));
      in_ring_[slot]->request().mark_issued();
      if (issue_locked(slot)) {
        large_in_ring_ += is_large(*in_ring_[slot]);
        free_.pop_back();
        backlog_.pop_front();
      } else {
        backlog_.front() = std::move(*in_ring_[slot]);
        in_ring_[slot].reset();
      }
    }
  }

  // Makes the transfers of the backlog on this thread. Takes and returns with the lock held.
  void work_off(std::unique_lock<std::mutex>& lock) {
    while (!backlog_.empty()) {
      IssuedRequest transfer = std::move(backlog_.front());
      backlog_.pop_front();
      lock.unlock();
      perform(transfer);
      lock.lock();
    }
    if (drained_locked()) changed_.notify_all();
  }

  // Issues the transfer of a slot, or the rest of it. False: the ring is broken.
  bool issue_locked(unsigned slot) {
    if (broken_) return false;
    const IssuedRequest& transfer = *in_ring_[slot];
    io_uring_sqe* entry = io_uring_get_sqe(ring_->ring());
    if (transfer.request().operation() == Operation::read) {
      io_uring_prep_readv(entry, descriptor(), transfer.buffers(), transfer.buffer_count(),
                          transfer.offset());
    } else {
      io_uring_prep_writev(entry, descriptor(), transfer.buffers(), transfer.buffer_count(),
                           transfer.offset());
    }
    io_uring_sqe_set_data64(entry, first_slot_mark + slot);
    return submit_locked();
  }

  // Submits the entry that was prepared. False: the kernel takes no entry, the ring is broken. The entry
  // stays in the queue, from which nothing is submitted any more.
  bool submit_locked() {
    for (unsigned attempt = 0; attempt < most_submissions; ++attempt) {
      const int result = io_uring_submit(ring_->ring());
      if (result >= 0 && io_uring_sq_ready(ring_->ring()) == 0) return true;
      if (result < 0 && result != -EINTR && result != -EAGAIN && result != -EBUSY) break;
      boost::this_thread::yield();
    }
    broken_ = true;
    return false;
  }

  void complete() {
    {
      // Submitted by this thread: the kernel cancels the polls of a thread that ends.
      const std::lock_guard lock(mutex_);
      io_uring_sqe* entry = io_uring_get_sqe(ring_->ring());
      io_uring_prep_poll_add(entry, ring_->event(), POLLIN);
      io_uring_sqe_set_data64(entry, stop_mark);
      armed_ = submit_locked();
    }
    changed_.notify_all();
    if (armed_) take_completions();
  }

  void take_completions() {
    std::array<bool, completions_at_a_time> ended;  // false: the kernel did not take the rest of the transfer
    std::array<std::optional<IssuedRequest>, completions_at_a_time> transfers;
    for (bool stop = false; !stop;) {
      io_uring_cqe* completion = nullptr;
      if (const int result = io_uring_wait_cqe(ring_->ring(), &completion); result != 0) {
        // Completions come without this call, too.
        if (result != -EINTR) std::this_thread::sleep_for(pause_after_error);
        continue;
      }
      unsigned count = 0;
      {
        // The lock orders this thread after the thread that filled in the transfer.
        std::unique_lock lock(mutex_);
        unsigned taken = 0;
        do {
          const std::uint64_t mark = io_uring_cqe_get_data64(completion);
          const int result = completion->res;
          io_uring_cqe_seen(ring_->ring(), completion);
          if (mark == stop_mark) {
            stop = true;
            continue;
          }
          const auto slot = static_cast<unsigned>(mark - first_slot_mark);
          if (result == -ECANCELED && in_ring_[slot]->interruptions > 0) broken_ = true;
          const bool over = take_result(*in_ring_[slot], result);
          if (!over && issue_locked(slot)) continue;
          large_in_ring_ -= is_large(*in_ring_[slot]);
          ended[count] = over;
          transfers[count++] = std::move(*in_ring_[slot]);
          in_ring_[slot].reset();
          free_.push_back(slot);
        } while (++taken < completions_at_a_time && io_uring_peek_cqe(ring_->ring(), &completion) == 0);
        fill_ring_locked();
        if (broken_) work_off(lock);
        if (drained_locked()) changed_.notify_all();
      }
      for (unsigned i = 0; i < count; ++i) {
        if (ended[i]) {
          transfers[i]->tell();
        } else {
          perform(*transfers[i]);
        }
        transfers[i].reset();
      }
    }
  }

  const std::unique_ptr<RingWithEvent> ring_;
  std::mutex mutex_;                 // guards the submission side of ring_ and the members below
  std::condition_variable changed_;  // armed_, broken_, or drained_locked()
  bool armed_ = false;               // the poll of the event is in the ring
  bool broken_ = false;
  std::deque<IssuedRequest> backlog_;
  const unsigned queue_depth_;
  unsigned large_in_ring_ = 0;
  std::vector<std::optional<IssuedRequest>> in_ring_;  // by slot
  std::vector<unsigned> free_;                         // slots
  boost::thread completer_;
};

}  // namespace

std::unique_ptr<Disk> make_uring_disk(File& file, IoStatistics& statistics, unsigned queue_depth,
                                      TraceDevice device) {
  auto ring = std::make_unique<RingWithEvent>(file.path(), small_per_large * queue_depth + 1);
  const unsigned slots = std::min(small_per_large * queue_depth, ring->ring()->sq.ring_entries);
  auto disk =
      std::make_unique<UringDisk>(std::move(file), statistics, queue_depth, slots, device, std::move(ring));
  if (!disk->run(file)) return nullptr;
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
