// SPDX-License-Identifier: MIT
// A disk with a limited bandwidth, to imitate a slower disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "core/base/function_ref.hpp"
#include "core/base/integers.hpp"
#include "core/io/disk.hpp"

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
    const uint128 nanoseconds = uint128{period_bytes_} * 1'000'000'000 / bytes_per_second_;
    end_ = period_start_ + std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
    return end_;
  }

 private:
  const std::uint64_t bytes_per_second_;
  Time period_start_{};
  Time end_{};
  std::uint64_t period_bytes_ = 0;
};

/// The clock of a limited disk; tests replace it. Thread-safe.
class DiskClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  virtual ~DiskClock() = default;
  virtual Time now() = 0;
  virtual void sleep_until(Time time) = 0;
};

/// The steady clock of the machine. Lives as long as the process.
DiskClock& machine_clock();

/// Passes requests to the disk below at once. Completes them in the order of submission, and none earlier
/// than a server of `bytes_per_second` for reads and writes together would (RateSchedule). The requests of a
/// deep queue end one by one. `make` opens the disk below. It gets statistics that are not used: a transfer
/// is counted in `statistics` when it ends here. The disk below must be faster than the limit. Throws the
/// exceptions of `make`. If no thread can be started, each caller of submit() waits for its own transfer.
// Measured: bytes per second over the limit; requests of 4 KiB, 64 KiB, 1 MiB, 4 MiB, each depth waiting for
// the oldest; the least of writes, reads, and two writes to a read, about 0.6 s each on an area written
// before, other work on the machine:
//     5 MiB/s  depth 1  0.995 1.000 1.000 1.000   depth 8  1.000 1.000 1.000 1.000
//    48 MiB/s  depth 1  0.942 0.995 0.998 1.000   depth 8  0.993 1.000 1.000 1.000
//   500 MiB/s  depth 1  0.090 0.989 0.989 1.000   depth 8  0.360 0.997 1.000 1.000
// The disk below was too slow for 4 KiB requests at 48 MiB/s and depth 1 (12,300 a second; it gave 11,000 to
// 12,000 without a limit) and for 4 KiB at 500 MiB/s (128,000; it gave 39,000 to 50,000). With
// RateSchedule::forgiven = 0, depth 1 reached 0.92 (4 KiB, 5 MiB/s), 0.55 (4 KiB, 48 MiB/s) and 0.77 (64 KiB,
// 500 MiB/s). (AMD EPYC, 2 virtual cores, virtual disk, November 2026, throw-away program)
std::unique_ptr<Disk> make_limited_disk(FunctionRef<std::unique_ptr<Disk>(IoStatistics&)> make,
                                        std::uint64_t bytes_per_second, IoStatistics& statistics,
                                        TraceDevice device = TraceDevice::unnamed,
                                        DiskClock& clock = machine_clock());

}  // namespace emgraph::core
