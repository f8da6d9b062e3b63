// SPDX-License-Identifier: MIT
// Each limited disk has a thread that sleeps until the first request of its queue may end.
#include "core/io/limited_disk.hpp"

#include <sys/prctl.h>

#include <boost/thread/thread.hpp>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace emgraph::core {
namespace {

class MachineClock final : public DiskClock {
 public:
  Time now() override { return std::chrono::steady_clock::now(); }
  void sleep_until(Time time) override { std::this_thread::sleep_until(time); }
};

class LimitedDisk final : public Disk {
 public:
  LimitedDisk(FunctionRef<std::unique_ptr<Disk>(IoStatistics&)> make, std::uint64_t bytes_per_second,
              IoStatistics& statistics, TraceDevice device, DiskClock& clock)
      : disk_(make(uncounted_)),
        statistics_(statistics),
        device_(device),
        clock_(clock),
        schedule_(bytes_per_second) {
    try {
      server_ = boost::thread([this] { serve(); });
    } catch (const boost::thread_resource_error&) {  // no thread: each caller waits for its own transfer
    }
  }

  ~LimitedDisk() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    if (server_.joinable()) server_.join();
  }

  RequestPtr submit(Operation operation, std::uint64_t offset, std::vector<iovec> buffers) override {
    auto request = std::make_shared<Request>(operation, offset, buffers, statistics_, device_);
    {
      const std::lock_guard lock(mutex_);
      const DiskClock::Time end = schedule_.end_of(clock_.now(), request->bytes());
      queue_.push_back({request, nullptr, end});
      try {
        queue_.back().below = disk_->submit(operation, offset, std::move(buffers));
      } catch (...) {
        queue_.pop_back();
        throw;
      }
    }
    changed_.notify_one();
    if (!server_.joinable()) serve_queue();
    return request;
  }

  void reserve_space(std::uint64_t bytes) override { disk_->reserve_space(bytes); }
  void release_space() override { disk_->release_space(); }
  const std::string& path() const override { return disk_->path(); }
  bool direct() const override { return disk_->direct(); }

 private:
  struct Waiting {
    RequestPtr request;
    RequestPtr below;
    DiskClock::Time end;
  };

  // Runs until the disk is destroyed and the queue is empty.
  void serve() {
    // By default the kernel may prolong a sleep by 50 us, which is as long as a small request takes.
    prctl(PR_SET_TIMERSLACK, 1UL);
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      finish_first(lock);
    }
  }

  // Without a thread of the disk: ends all transfers of the queue.
  void serve_queue() {
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) finish_first(lock);
  }

  void finish_first(std::unique_lock<std::mutex>& lock) {
    const Waiting first = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    finish(first);
    lock.lock();
  }

  void finish(const Waiting& waiting) {
    clock_.sleep_until(waiting.end);
    std::size_t transferred = 0;
    try {
      transferred = waiting.below->wait();
    } catch (...) {
      waiting.request->fail(std::current_exception());
      return;
    }
    waiting.request->complete(transferred);
  }

  IoStatistics uncounted_;
  std::unique_ptr<Disk> disk_;
  IoStatistics& statistics_;
  const TraceDevice device_;
  DiskClock& clock_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  RateSchedule schedule_;
  std::deque<Waiting> queue_;
  bool stopping_ = false;
  boost::thread server_;
};

}  // namespace

DiskClock& machine_clock() {
  static MachineClock clock;
  return clock;
}

std::unique_ptr<Disk> make_limited_disk(FunctionRef<std::unique_ptr<Disk>(IoStatistics&)> make,
                                        std::uint64_t bytes_per_second, IoStatistics& statistics,
                                        TraceDevice device, DiskClock& clock) {
  return std::make_unique<LimitedDisk>(make, bytes_per_second, statistics, device, clock);
}

}  // namespace emgraph::core
