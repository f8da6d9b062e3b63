// SPDX-License-Identifier: MIT
// The measured write speed of a disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace emgraph::core {

/// Bytes written per second of busy time, in which at least one write was in flight. Older writes lose half
/// of their weight with each further second of busy time. Thread-safe.
class WriteSpeed {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// Least number of bytes for a valid measurement.
  static constexpr std::uint64_t least_bytes = std::uint64_t{16} << 20;

  void start(Time now) {
    const std::lock_guard lock(mutex_);
    if (in_flight_++ == 0) busy_since_ = now;
  }
  void end(Time now, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    seconds_ += std::chrono::duration<double>(now - busy_since_).count();
    bytes_ += static_cast<double>(bytes);
    seen_bytes_ += bytes;
    busy_since_ = now;
    --in_flight_;
    if (seconds_ < 2) return;
    seconds_ /= 2;
    bytes_ /= 2;
  }
  /// 0: fewer than least_bytes were written.
  double bytes_per_second() const {
    const std::lock_guard lock(mutex_);
    return seen_bytes_ < least_bytes || seconds_ <= 0 ? 0 : bytes_ / seconds_;
  }

 private:
  mutable std::mutex mutex_;
  unsigned in_flight_ = 0;
  Time busy_since_{};
  double seconds_ = 0;
  double bytes_ = 0;
  std::uint64_t seen_bytes_ = 0;
};

}  // namespace emgraph::core
