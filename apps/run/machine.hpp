// SPDX-License-Identifier: MIT
// What this machine gives the process: memory, cores, and what it has used of them.
#pragma once

#include <cstdint>
#include <string>

namespace emgraph::apps {

/// Bytes the process could still take: MemAvailable, and for every memory cgroup it is in (v1 or v2, up to
/// the root) the limit less what is used beyond reclaimable page cache. `root` stands for "/" in tests.
std::uint64_t available_memory_bytes(const std::string& root = "");

/// Cores this process may run on (sched_getaffinity), at least 1.
unsigned available_cores();

/// Largest resident set so far, bytes (VmHWM).
std::uint64_t resident_peak_bytes();

/// User and system time of all threads so far.
double cpu_seconds();

}  // namespace emgraph::apps
