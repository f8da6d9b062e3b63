// SPDX-License-Identifier: MIT
// A disk that is slower than it could be, to imitate the disks of others.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "core/io/disk.hpp"

namespace emgraph::core {

/// Time as a limited disk sees it. Thread-safe.
class DiskClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  virtual ~DiskClock() = default;
  virtual Time now() = 0;
  virtual void sleep_until(Time time) = 0;
};

/// The steady clock of the machine. Lives as long as the process.
DiskClock& machine_clock();

/// Passes requests on at once and completes them in the order of submission, none before a server of
/// `bytes_per_second` for reads and writes together would have (RateSchedule). Requests of a deep queue end
/// one by one, not together.
/// `make` opens the disk below, with statistics that nobody reads: a transfer is counted when it ends for
/// those who wait, in `statistics`. Throws what `make` throws; EnvironmentError if there is no thread to
/// have.
std::unique_ptr<Disk> make_limited_disk(const std::function<std::unique_ptr<Disk>(IoStatistics&)>& make,
                                        std::uint64_t bytes_per_second, IoStatistics& statistics,
                                        TraceDevice device = TraceDevice::unnamed,
                                        DiskClock& clock = machine_clock());

}  // namespace emgraph::core
