// SPDX-License-Identifier: MIT
// A disk on a file: worker threads call preadv and pwritev.
#include <boost/thread/thread.hpp>
#include <condition_variable>
#include <deque>
#include <utility>

#include "core/io/file_disk.hpp"

namespace emgraph::core {
namespace {

/// Requests are issued first in, first out. A worker is started with each request, up to the queue depth, so
/// a disk that is opened to read one header starts one thread.
class PreadDisk final : public FileDisk {
 public:
  PreadDisk(File file, IoStatistics& statistics, unsigned queue_depth, TraceDevice device)
      : FileDisk(std::move(file), statistics, device), queue_depth_(queue_depth) {}

  ~PreadDisk() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (boost::thread& worker : workers_) worker.join();
  }

 private:
  void start(IssuedRequest transfer) override {
    std::unique_lock lock(mutex_);
    queue_.push_back(std::move(transfer));
    if (idle_ < queue_.size() && workers_.size() < queue_depth_) {
      try {
        workers_.emplace_back([this] { work(); });
      } catch (...) {
        // No thread, or no memory for one. Fewer workers are only slower; without any, the caller does the
        // work.
        if (workers_.empty()) {
          IssuedRequest alone = std::move(queue_.back());
          queue_.pop_back();
          lock.unlock();
          perform(alone);
          return;
        }
      }
    }
    const bool somebody_sleeps = idle_ > 0;
    lock.unlock();
    if (somebody_sleeps) changed_.notify_one();
  }

  // Runs until the disk is destroyed and the queue is empty.
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      --idle_;
      if (queue_.empty()) return;
      IssuedRequest transfer = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      perform(transfer);
      lock.lock();
    }
  }

  const std::size_t queue_depth_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<IssuedRequest> queue_;
  std::vector<boost::thread> workers_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace

std::unique_ptr<Disk> make_pread_disk(File file, IoStatistics& statistics, unsigned queue_depth,
                                      TraceDevice device) {
  return std::make_unique<PreadDisk>(std::move(file), statistics, queue_depth, device);
}

}  // namespace emgraph::core
