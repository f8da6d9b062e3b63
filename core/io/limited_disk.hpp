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
/// those who wait, in `statistics`. A limit makes no disk faster: that below must be able to. Throws what
/// `make` throws; EnvironmentError if there is no thread to have.
// Measured: bytes per second over the limit; requests of 4 KiB, 64 KiB, 1 MiB, 4 MiB, each depth waiting for
// the oldest; the least of writes, reads, and two writes to a read, about 0.6 s each on an area written
// before, other work on the machine:
//     5 MiB/s  depth 1  0.995 1.000 1.000 1.000   depth 8  1.000 1.000 1.000 1.000
//    48 MiB/s  depth 1  0.942 0.995 0.998 1.000   depth 8  0.993 1.000 1.000 1.000
//   500 MiB/s  depth 1  0.090 0.989 0.989 1.000   depth 8  0.360 0.997 1.000 1.000
// 48 MiB/s of 4 KiB one by one (12,300 a second), 500 MiB/s of any 4 KiB (128,000), are more than the disk
// below gave: with no limit to speak of 11,000 to 12,000 and 39,000 to 50,000. Without what RateSchedule
// forgives depth 1 had 0.92, 0.55 and 0.77 of 4 KiB at 5 and 48, of 64 KiB at 500 MiB/s. (AMD EPYC, 2 virtual
// cores, virtual disk, November 2026, throw-away program)
std::unique_ptr<Disk> make_limited_disk(const std::function<std::unique_ptr<Disk>(IoStatistics&)>& make,
                                        std::uint64_t bytes_per_second, IoStatistics& statistics,
                                        TraceDevice device = TraceDevice::unnamed,
                                        DiskClock& clock = machine_clock());

}  // namespace emgraph::core
