// SPDX-License-Identifier: MIT
// libhwy measures the resolution of a timer when it is loaded, for a benchmark that this program does not
// use.
#include <hwy/nanobenchmark.h>

#include <cstdint>

// The library's initialiser finds this function first, as functions of a program go before those of its
// shared libraries. A start takes 3.8 instead of 6.7 ms of CPU (libhwy 1.0.3, EPYC 9004).
std::uint64_t hwy::platform::TimerResolution() {
  return 1;
}
