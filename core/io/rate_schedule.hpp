// SPDX-License-Identifier: MIT
// When the requests to a disk of a given bandwidth end.
#pragma once

#include <chrono>
#include <cstdint>

namespace emgraph::core {

/// One server for reads and writes alike: a request starts when it is submitted or when the one before has
/// ended, whichever is later, and takes bytes / rate. Who submits up to `forgiven` after the end before has
/// not paused: so long may it have taken to sleep until then and to wake who waited, which the disk that is
/// imitated does not know. Not thread-safe.
/// Ends are computed from the beginning of a busy period, so that no rounding adds up.
class RateSchedule {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds forgiven{1};

  /// Requires: bytes_per_second > 0.
  explicit RateSchedule(std::uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  /// When a request that is submitted at `now`, no earlier than those before, ends.
  Time end_of(Time now, std::uint64_t bytes) {
    if (now > end_ + forgiven) {
      period_start_ = now;
      period_bytes_ = 0;
    }
    period_bytes_ += bytes;
    const auto nanoseconds =
        static_cast<unsigned __int128>(period_bytes_) * 1'000'000'000 / bytes_per_second_;
    end_ = period_start_ + std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
    return end_;
  }

 private:
  const std::uint64_t bytes_per_second_;
  Time period_start_{};
  Time end_{};
  std::uint64_t period_bytes_ = 0;
};

}  // namespace emgraph::core
