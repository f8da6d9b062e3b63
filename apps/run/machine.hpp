// SPDX-License-Identifier: MIT
// The memory and cores available to the process, and its use of them.
#pragma once

#include <cstdint>
#include <string>

namespace emgraph::apps {

/// Bytes the process can still allocate: the minimum of MemAvailable and, for every memory cgroup of the
/// process (v1 or v2, up to the root), its limit less its usage without reclaimable page cache. `root`
/// replaces "/" in tests.
std::uint64_t available_memory_bytes(const std::string& root = "");

/// Cores this process may run on (sched_getaffinity), at least 1.
unsigned available_cores();

/// Largest resident set size so far, bytes (VmHWM).
std::uint64_t resident_peak_bytes();

/// User and system time of all threads so far.
double cpu_seconds();

}  // namespace emgraph::apps
