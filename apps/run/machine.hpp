// SPDX-License-Identifier: MIT
// The memory and cores that this machine has for the process, and how much the process has used.
#pragma once

#include <cstdint>
#include <string>

namespace emgraph::apps {

/// Bytes that the process could still allocate: the least of MemAvailable and of left_by_limits_bytes().
/// Tests give another `root` than "/".
std::uint64_t available_memory_bytes(const std::string& root = "");
/// Bytes that limits leave to the process: for each memory cgroup that it is in (v1 or v2, up to the root)
/// the limit less the used bytes that are no reclaimable page cache, and what RLIMIT_AS and RLIMIT_DATA
/// leave, less room for the stacks of threads.
std::uint64_t left_by_limits_bytes(const std::string& root = "");

/// Cores this process may run on (sched_getaffinity), or as many as the quota of its cgroups is worth; at
/// least 1.
unsigned available_cores(const std::string& root = "");

/// Largest resident set size so far, bytes (VmHWM).
std::uint64_t resident_peak_bytes();

/// User and system time of all threads so far.
double cpu_seconds();

}  // namespace emgraph::apps
