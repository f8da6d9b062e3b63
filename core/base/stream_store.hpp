// SPDX-License-Identifier: MIT
// Stores past the caches, for memory that is written in whole cache lines and not read soon.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace emgraph::core {

/// Copies whole cache lines. The processor does not read the lines of `to` first. Requires: both pointers are
/// aligned to 16 bytes; `bytes` is a multiple of 16; ranges do not overlap. Other threads may read the copy
/// after finish_streams(). A plain copy on processors without SSE2.
inline void stream_store(void* to, const void* from, std::size_t bytes) {
#if defined(__SSE2__)
  auto* const target = static_cast<__m128i*>(to);
  const auto* const source = static_cast<const __m128i*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); ++i) {
    _mm_stream_si128(target + i, _mm_load_si128(source + i));
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Orders the thread's stream stores before its later stores.
inline void finish_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace emgraph::core
