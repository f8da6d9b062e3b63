// SPDX-License-Identifier: MIT
// Fetches a cache line that will be written.
#pragma once

namespace emgraph::core {

/// Brings the line to the first-level cache and takes it away from other cores, so that the store does not
/// wait for that. For plain x86-64 compilers make a fetch for reading of __builtin_prefetch(at, 1), though
/// 64-bit processors have the instruction or pass over it. `at` may be any address.
inline void prefetch_to_write(const void* at) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(at)));
#else
  __builtin_prefetch(at, 1);
#endif
}

}  // namespace emgraph::core
