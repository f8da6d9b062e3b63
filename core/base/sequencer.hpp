// SPDX-License-Identifier: MIT
// Lets parallel threads hand on their results one after another, in the order of the input.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

#include "core/base/short_wait.hpp"
#include "core/base/trace.hpp"

namespace emgraph::core {

/// A counter of positions. The thread with position p continues when all positions below p are done. It
/// sleeps only after a short while, because turns of some ten microseconds are common. Thread-safe.
class Sequencer {
 public:
  /// Blocks until it is `position`'s turn. False: another thread has called stop(), and the caller must end.
  bool wait_for(std::uint64_t position) {
    const auto ready = [&] { return stopped_ || now_.load(std::memory_order_acquire) == position; };
    if (ready()) return !stopped_;
    const TraceSpan waiting(TraceKind::thread_wait, "wait for turn");
    if (!waits_shortly_for(ready)) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, ready);
    }
    return !stopped_;
  }
  /// Gives the turn to `position`, also before the first thread waits.
  void pass_to(std::uint64_t position) {
    {
      const std::scoped_lock lock(mutex_);
      now_.store(position, std::memory_order_release);
    }
    changed_.notify_all();
  }
  /// Wakes all waiting threads; their wait_for returns false. For a failed thread, or an early end.
  void stop() {
    {
      const std::scoped_lock lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }
  /// Starts again at position 0. Requires: no thread waits.
  void restart() {
    const std::scoped_lock lock(mutex_);
    now_ = 0;
    stopped_ = false;
  }
  bool stopped() const { return stopped_; }

 private:
  std::mutex mutex_;  ///< of changes, which sleepers must not miss
  std::condition_variable changed_;
  std::atomic<std::uint64_t> now_{0};
  std::atomic<bool> stopped_{false};
};

/// Calls stop() if its scope is left by an exception, so that no other thread waits for this one.
class StopOnFailure {
 public:
  explicit StopOnFailure(Sequencer& turn) : turn_(turn) {}
  StopOnFailure(const StopOnFailure&) = delete;
  ~StopOnFailure() {
    if (std::uncaught_exceptions() > exceptions_) turn_.stop();
  }

 private:
  Sequencer& turn_;
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace emgraph::core
