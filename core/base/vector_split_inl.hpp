// SPDX-License-Identifier: MIT
// Problem: split an array at a pivot, in place. Method: the first and the last vectors are kept aside, which
// leaves a gap at each end. The next ones are read from the side with the smaller gap, several at a time,
// because which side it is cannot be predicted; their keys go to the two gaps, and each gap has room for a
// whole vector. Source: Bramas (2017), "A Novel Hybrid Quicksort Algorithm Vectorized using AVX-512 on Intel
// Skylake", doi 10.14569/IJACSA.2017.081044. Included once per instruction set by the kernels (Highway's
// "-inl" convention).
#if defined(EMGRAPH_CORE_BASE_VECTOR_SPLIT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef EMGRAPH_CORE_BASE_VECTOR_SPLIT_INL_HPP
#undef EMGRAPH_CORE_BASE_VECTOR_SPLIT_INL_HPP
#else
#define EMGRAPH_CORE_BASE_VECTOR_SPLIT_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "core/base/compress_inl.hpp"

#undef EMGRAPH_SPLITS_VECTORS
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#define EMGRAPH_SPLITS_VECTORS 1
#else
#define EMGRAPH_SPLITS_VECTORS 0
#endif

#if EMGRAPH_SPLITS_VECTORS
HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

template <class Key>
class VectorSplit {
 public:
  /// The least number of keys.
  static constexpr std::size_t least = 2 * 4 * hn::MaxLanes(hn::ScalableTag<Key>());

  /// Moves keys below the pivot to the front. Returns their number. Requires: `least` keys.
  static std::size_t split(Key* keys, std::size_t count, Key pivot) {
    const D d;
    const V at = hn::Set(d, pivot);
    V ends[2 * vectors];
    for (std::size_t i = 0; i < vectors; ++i) {
      ends[i] = hn::LoadU(d, keys + i * lanes);
      ends[vectors + i] = hn::LoadU(d, keys + count - group + i * lanes);
    }
    Gaps gaps{keys, keys + count};
    const Key* begin = keys + group;
    const Key* end = keys + count - group;
    while (static_cast<std::size_t>(end - begin) >= group) {
      const bool from_front = begin - gaps.front <= gaps.back - end;
      const Key* const from = from_front ? begin : end - group;
      begin += from_front ? group : 0;
      end -= from_front ? 0 : group;
      V next[vectors];
      for (std::size_t i = 0; i < vectors; ++i) next[i] = hn::LoadU(d, from + i * lanes);
      for (const V& v : next) gaps.put(v, at);
    }
    Key rest[group];
    const auto left = static_cast<std::size_t>(end - begin);
    std::memcpy(rest, begin, left * sizeof *keys);
    std::size_t i = 0;
    for (; i + lanes <= left; i += lanes) gaps.put(hn::LoadU(d, rest + i), at);
    for (; i < left; ++i) *(rest[i] < pivot ? gaps.front++ : --gaps.back) = rest[i];
    for (const V& v : ends) gaps.put(v, at);
    return static_cast<std::size_t>(gaps.front - keys);
  }

 private:
  using D = hn::ScalableTag<Key>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());
  static constexpr std::size_t vectors = 4;
  static constexpr std::size_t group = vectors * lanes;

  struct Gaps {
    Key* front;
    Key* back;  ///< the end of the gap at the back

    /// Requires: room for a whole vector at each end.
    HWY_INLINE void put(V v, V pivot) {
      const D d;
      const auto below = hn::Lt(v, pivot);
      const std::size_t count = hn::CountTrue(d, below);
      const V below_first = compressed(d, v, below);
      hn::StoreU(below_first, d, front);
#if HWY_TARGET == HWY_AVX2
      hn::StoreU(below_first, d, back - lanes);  // the other keys follow
      back -= lanes - count;
#else
      back -= lanes - count;
      hn::BlendedStore(compressed(d, v, hn::Not(below)), hn::FirstN(d, lanes - count), d, back);
#endif
      front += count;
    }
  };
};

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
