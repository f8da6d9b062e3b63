// SPDX-License-Identifier: MIT
// The completion times of requests to a disk of a given bandwidth.
#pragma once

#include <chrono>
#include <cstdint>

namespace emgraph::core {

/// One server for reads and writes. A request starts when it is submitted or when the previous one has ended,
/// whichever is later, and takes bytes / rate. A request submitted at most `forgiven` after the end of the
/// previous one counts as back to back: on a real disk there would be no delay for waking the waiting thread.
/// Not thread-safe. Ends are computed from the beginning of a busy period, so that rounding errors do not add
/// up.
class RateSchedule {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds forgiven{1};

  /// Requires: bytes_per_second > 0.
  explicit RateSchedule(std::uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  /// The end of a request of `bytes` bytes submitted at `now`. Requires: `now` does not decrease between
  /// calls.
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
