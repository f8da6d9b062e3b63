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
/// By the bits of the mask: the halves of the chosen 64-bit lanes, then those of the others.
struct ChosenFirst {
  alignas(32) std::uint32_t halves[16][8]{};
  constexpr ChosenFirst() {
    for (unsigned mask = 0; mask < 16; ++mask) {
      std::size_t at = 0;
      for (const unsigned chosen : {1U, 0U}) {
        for (unsigned lane = 0; lane < 4; ++lane) {
          if ((mask >> lane & 1) != chosen) continue;
          halves[mask][at++] = 2 * lane;
          halves[mask][at++] = 2 * lane + 1;
        }
      }
    }
  }
};
inline constexpr ChosenFirst chosen_first;
#endif

/// As hn::Compress; 64-bit lanes that are not chosen follow those that are with AVX2. Highway 1.0.3 copies a
/// table to the stack in each call for 64-bit lanes: splitting by it took 6.2 ns a key with AVX2 (EPYC 9004).
template <class D, class V, class M>
HWY_INLINE V compressed(D, V lanes, M chosen) {
  [[maybe_unused]] constexpr bool wide = sizeof(hn::TFromD<D>) == 8;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if constexpr (wide) return V{_mm512_maskz_compress_epi64(chosen.raw, lanes.raw)};
#elif HWY_TARGET == HWY_AVX2
  if constexpr (wide && sizeof(V) == 32) {
    const auto mask = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(chosen.raw)));
    const auto* const order = reinterpret_cast<const __m256i*>(chosen_first.halves[mask]);
    return V{_mm256_permutevar8x32_epi32(lanes.raw, _mm256_load_si256(order))};
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
