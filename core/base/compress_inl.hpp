// SPDX-License-Identifier: MIT
// Chosen lanes moved together. Included once per instruction set by the kernels (Highway's "-inl"
// convention).
#if defined(EMGRAPH_CORE_BASE_COMPRESS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef EMGRAPH_CORE_BASE_COMPRESS_INL_HPP
#undef EMGRAPH_CORE_BASE_COMPRESS_INL_HPP
#else
#define EMGRAPH_CORE_BASE_COMPRESS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2
/// By the bits of a mask of eight lanes: the chosen lanes, then the others.
struct ChosenFirst {
  alignas(64) std::uint8_t lanes[256][8]{};
  constexpr ChosenFirst() {
    for (unsigned mask = 0; mask < 256; ++mask) {
      std::size_t at = 0;
      for (const unsigned chosen : {1U, 0U}) {
        for (unsigned lane = 0; lane < 8; ++lane) {
          if ((mask >> lane & 1) == chosen) lanes[mask][at++] = static_cast<std::uint8_t>(lane);
        }
      }
    }
  }
};
inline constexpr ChosenFirst chosen_first;
#endif

/// Compresses as hn::Compress, lanes of 32 or 64 bits; with AVX2 the lanes that are not chosen follow.
/// Highway 1.0.3's version copies a table to the stack in each call (AVX2; 64 bits with AVX-512): splitting
/// 64-bit keys with AVX2 took 6.2 ns a key with it, 0.4 with this (EPYC 9004).
template <class D, class V, class M>
HWY_INLINE V compressed(D, V lanes, M chosen) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(hn::TFromD<D>) == 8) return V{_mm512_maskz_compress_epi64(chosen.raw, lanes.raw)};
#elif HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(V) == 32) {  // a lane of 64 bits is two of 32
    const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(chosen.raw)));
    const auto* const order = reinterpret_cast<const __m128i*>(chosen_first.lanes[mask]);
    return V{_mm256_permutevar8x32_epi32(lanes.raw, _mm256_cvtepu8_epi32(_mm_loadl_epi64(order)))};
  }
#endif
  return hn::Compress(lanes, chosen);
}

/// As hn::CompressStore: may write a whole vector. With AVX-512 that takes over 100 cycles on Zen 4, because
/// one instruction compresses and stores.
template <class D, class V, class M, class T>
HWY_INLINE std::size_t compress_store(V lanes, M chosen, D d, T* to) {
  hn::StoreU(compressed(d, lanes, chosen), d, to);
  return hn::CountTrue(d, chosen);
}

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
