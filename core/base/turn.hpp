// SPDX-License-Identifier: MIT
// Threads that work side by side and take turns to hand on what they made, in the order of the input.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

#include "core/base/trace.hpp"

namespace emgraph::core {

/// A counter that grants one position at a time. Position p may go when everything below p has gone.
class Turn {
 public:
  /// Blocks until it is `position`'s turn; false when some other thread has given up: stop then.
  bool wait_for(std::uint64_t position) {
    std::unique_lock lock(mutex_);
    wait_for_thread(
        changed_, lock, [&] { return stopped_ || now_ == position; }, "wait for turn");
    return !stopped_;
  }
  /// The turn passes to `position`.
  void pass_to(std::uint64_t position) {
    {
      const std::scoped_lock lock(mutex_);
      now_ = position;
    }
    changed_.notify_all();
  }
  /// Sends everybody home: a thread has failed, or nothing more is wanted.
  void stop() {
    {
      const std::scoped_lock lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }
  /// Position 0 may go again. Requires: nobody waits.
  void restart() {
    const std::scoped_lock lock(mutex_);
    now_ = 0;
    stopped_ = false;
  }
  bool stopped() const {
    const std::scoped_lock lock(mutex_);
    return stopped_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t now_ = 0;
  bool stopped_ = false;
};

/// Stops the turn when a thread leaves its scope by an exception.
class StopOnFailure {
 public:
  explicit StopOnFailure(Turn& turn) : turn_(turn) {}
  StopOnFailure(const StopOnFailure&) = delete;
  ~StopOnFailure() {
    if (std::uncaught_exceptions() > exceptions_) turn_.stop();
  }

 private:
  Turn& turn_;
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace emgraph::core
