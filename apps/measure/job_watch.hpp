// SPDX-License-Identifier: MIT
// What a measured job took.
#pragma once

#include <chrono>

#include "apps/run/machine.hpp"
#include "core/environment.hpp"

namespace emgraph::apps {

/// Wall time, time of all threads, and bytes that moved.
struct JobCost {
  double seconds = 0;
  double cpu_seconds = 0;
  core::IoSnapshot io = {};
};

/// From its construction on.
class JobWatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit JobWatch(const core::Environment& environment)
      : environment_(environment), io_(environment.io.snapshot()) {}

  JobCost cost() const {
    return {seconds_since(start_), apps::cpu_seconds() - cpu_, environment_.io.snapshot() - io_};
  }
  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

 private:
  const core::Environment& environment_;
  const core::IoSnapshot io_;
  const double cpu_ = apps::cpu_seconds();
  const Clock::time_point start_ = Clock::now();
};

}  // namespace emgraph::apps
