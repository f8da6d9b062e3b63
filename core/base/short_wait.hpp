// SPDX-License-Identifier: MIT
// A wait that is too short to sleep.
#pragma once

namespace emgraph::core {

/// Tells the processor that the thread waits.
inline void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits a short while for holds() to become true, and returns its last value. For a thread that would go to
/// sleep: in a virtual machine it would wake later than after this wait, 50 microseconds of an Intel Xeon.
// Measured: sssp of a grid of 4096 x 4096 from memory, two threads, 5,800 rounds: search 0.67 to 0.68 s, with
// 4000 pauses the same, without any 0.73 to 1.3 s; by one thread 1.0 to 1.3 s.
template <class Condition>
bool waits_shortly_for(const Condition& holds) {
  constexpr unsigned most_pauses = 1000;
  for (unsigned pauses = 0; pauses < most_pauses; ++pauses) {
    if (holds()) return true;
    pause_processor();
  }
  return false;
}

}  // namespace emgraph::core
