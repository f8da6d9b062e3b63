// SPDX-License-Identifier: MIT
// Fetches a cache line before it is needed.
//
// Prefetches of this program are made here: GCC takes a function that does nothing but __builtin_prefetch for
// one without effect, and leaves out calls of it that it has not inlined by then (g++ 12, -O2 and -O3; the
// look-ups of `mst` lost their prefetches so). An empty asm volatile counts as an effect, and costs nothing.
#pragma once

namespace emgraph::core {

/// Brings the line to the first-level cache, to be read. `at` may be any address.
inline void prefetch(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

/// Brings the line to the second-level cache.
inline void prefetch_to_second_level(const void* at) {
  __builtin_prefetch(at, 0, 2);
  asm volatile("");
}

/// Brings the line to the first-level cache and takes it away from other cores, so that the store does not
/// wait for that. For plain x86-64 compilers make a fetch for reading of __builtin_prefetch(at, 1), though
/// 64-bit processors have the instruction or pass over it.
inline void prefetch_to_write(const void* at) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(at)));
#else
  __builtin_prefetch(at, 1);
  asm volatile("");
#endif
}

}  // namespace emgraph::core
