// SPDX-License-Identifier: MIT
// A bitonic network whose lines are the lanes of vectors: key i is in lane i % lanes of vector i / lanes.
#include "core/base/sorting_network.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/base/sorting_network.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

#undef EMGRAPH_SPLITS_KEYS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define EMGRAPH_SPLITS_KEYS 1
#else
#define EMGRAPH_SPLITS_KEYS 0
#endif

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

bool few_keys_kernel(std::span<std::uint32_t>) {
  return false;
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint32_t, 16>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());

/// Lane i gets lane i ^ distance.
template <std::size_t distance>
HWY_INLINE V exchanged(V v) {
  const D d;
  if constexpr (distance == 1) {
    return hn::Reverse2(d, v);
  } else if constexpr (distance == 2) {
    return hn::Shuffle1032(v);
  } else if constexpr (distance == 3) {
    return hn::Reverse4(d, v);
  } else if constexpr (distance == lanes - 1) {
    return hn::Reverse(d, v);
  } else if constexpr (distance == lanes / 2) {
    return hn::ConcatLowerUpper(d, v, v);
  } else if constexpr (distance == 4) {
    return hn::SwapAdjacentBlocks(v);
  } else {
    static_assert(distance == 7);
    return hn::Reverse8(d, v);
  }
}

/// Orders lanes i and i ^ distance: the upper one, which has the bit `upper`, gets the larger key.
template <std::size_t distance, std::size_t upper, std::size_t vectors>
HWY_INLINE void order_lanes(V* v) {
  const D d;
  const auto bit = hn::Set(d, static_cast<std::uint32_t>(upper));
  const auto takes_larger = hn::Eq(hn::And(hn::Iota(d, 0), bit), bit);
  for (std::size_t i = 0; i < vectors; ++i) {
    const V other = exchanged<distance>(v[i]);
    v[i] = hn::IfThenElse(takes_larger, hn::Max(v[i], other), hn::Min(v[i], other));
  }
}

/// Sorts bitonic sequences of 2 · distance lanes.
template <std::size_t distance, std::size_t vectors>
HWY_INLINE void merge_lanes(V* v) {
  if constexpr (distance > 0) {
    order_lanes<distance, distance, vectors>(v);
    merge_lanes<distance / 2, vectors>(v);
  }
}

/// Sorts blocks of `size` lanes of each vector, whose halves are sorted.
template <std::size_t size, std::size_t vectors>
HWY_INLINE void merge_blocks_of_lanes(V* v) {
  if constexpr (size <= lanes) {
    order_lanes<size - 1, size / 2, vectors>(v);
    merge_lanes<size / 4, vectors>(v);
    merge_blocks_of_lanes<2 * size, vectors>(v);
  }
}

/// Sorts blocks of `size` vectors, whose halves are sorted.
template <std::size_t size, std::size_t vectors>
HWY_INLINE void merge_blocks(V* v) {
  if constexpr (size <= vectors) {
    const D d;
    for (std::size_t block = 0; block < vectors; block += size) {
      for (std::size_t i = 0; i < size / 2; ++i) {
        V& low = v[block + i];
        V& high = v[block + size - 1 - i];
        const V mirrored = hn::Reverse(d, high);
        // The lanes stay mirrored in all of this half: they are bitonic as well.
        high = hn::Max(low, mirrored);
        low = hn::Min(low, mirrored);
      }
    }
    for (std::size_t distance = size / 4; distance > 0; distance /= 2) {
      for (std::size_t i = 0; i < vectors; ++i) {
        if ((i & distance) != 0) continue;
        const V low = hn::Min(v[i], v[i + distance]);
        v[i + distance] = hn::Max(v[i], v[i + distance]);
        v[i] = low;
      }
    }
    merge_lanes<lanes / 2, vectors>(v);
    merge_blocks<2 * size, vectors>(v);
  }
}

/// The first `count` keys, then the largest ones.
HWY_INLINE V load_first(const std::uint32_t* keys, std::size_t count) {
  const D d;
  const V fill = hn::Set(d, ~std::uint32_t{0});
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN std::uint32_t copy[lanes];
  hn::Store(fill, d, copy);
  std::memcpy(copy, keys, count * sizeof *keys);
  return hn::Load(d, copy);
#else
  const auto first = hn::FirstN(d, count);
  return hn::IfThenElse(first, hn::MaskedLoad(first, d, keys), fill);
#endif
}

HWY_INLINE void store_first(V v, std::uint32_t* keys, std::size_t count) {
  const D d;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN std::uint32_t copy[lanes];
  hn::Store(v, d, copy);
  std::memcpy(keys, copy, count * sizeof *keys);
#else
  hn::BlendedStore(v, hn::FirstN(d, count), d, keys);
#endif
}

template <std::size_t vectors>
HWY_NOINLINE void sort_in_vectors(std::uint32_t* keys, std::size_t count) {
  const D d;
  V v[vectors];
  const std::size_t whole = count / lanes;
  const std::size_t left = count % lanes;
  for (std::size_t i = 0; i < vectors; ++i) {
    v[i] = i < whole ? hn::LoadU(d, keys + i * lanes) : hn::Set(d, ~std::uint32_t{0});
    if (i == whole && left > 0) v[i] = load_first(keys + i * lanes, left);
  }
  merge_blocks_of_lanes<2, vectors>(v);
  merge_blocks<2, vectors>(v);
  for (std::size_t i = 0; i < vectors; ++i) {
    if (i < whole) hn::StoreU(v[i], d, keys + i * lanes);
    if (i == whole && left > 0) store_first(v[i], keys + i * lanes, left);
  }
}

bool few_keys_kernel(std::span<std::uint32_t> keys) {
  const std::size_t count = keys.size();
  if (count <= lanes) {
    sort_in_vectors<1>(keys.data(), count);
  } else if (count <= 2 * lanes) {
    sort_in_vectors<2>(keys.data(), count);
  } else if (count <= 4 * lanes) {
    sort_in_vectors<4>(keys.data(), count);
  } else if (count <= 8 * lanes) {
    sort_in_vectors<8>(keys.data(), count);
  } else {
    return false;
  }
  return true;
}

#if EMGRAPH_SPLITS_KEYS

/// The keys of an array that is being split: what is below the pivot is written from the front, the others
/// from the back.
struct Gap {
  std::uint32_t* keys;
  std::size_t front;
  std::size_t back;

  /// Requires: room for `lanes` keys.
  HWY_INLINE void put(V v, V pivot) {
    const D d;
    const auto below = hn::Lt(v, pivot);
    const std::size_t count = hn::CountTrue(d, below);
    // Not stored by the instruction that compresses: on Zen 4 that takes over 100 cycles.
    hn::StoreU(hn::Compress(v, below), d, keys + front);
    front += count;
    back -= lanes - count;
    hn::BlendedStore(hn::Compress(v, hn::Not(below)), hn::FirstN(d, lanes - count), d, keys + back);
  }
};

/// Keys below the pivot come first. Returns their number. The first and the last vectors are kept aside,
/// which leaves a gap at each end; the next ones are read from the side with the smaller gap, several at a
/// time, because which side it is cannot be predicted. Source: Bramas (2017),
/// doi 10.14569/IJACSA.2017.081044. Requires: at least two groups of vectors.
std::size_t split(std::uint32_t* keys, std::size_t count, std::uint32_t pivot) {
  const D d;
  constexpr std::size_t vectors = 4;
  constexpr std::size_t group = vectors * lanes;
  const V at = hn::Set(d, pivot);
  V ends[2 * vectors];
  for (std::size_t i = 0; i < vectors; ++i) {
    ends[i] = hn::LoadU(d, keys + i * lanes);
    ends[vectors + i] = hn::LoadU(d, keys + count - group + i * lanes);
  }
  Gap gap{keys, 0, count};
  std::size_t begin = group;
  std::size_t end = count - group;
  while (end - begin >= group) {
    const bool from_front = begin - gap.front <= gap.back - end;
    if (!from_front) end -= group;
    const std::uint32_t* const from = keys + (from_front ? begin : end);
    if (from_front) begin += group;
    V next[vectors];
    for (std::size_t i = 0; i < vectors; ++i) next[i] = hn::LoadU(d, from + i * lanes);
    for (const V& v : next) gap.put(v, at);
  }
  std::uint32_t rest[group];
  const std::size_t left = end - begin;
  std::memcpy(rest, keys + begin, left * sizeof *keys);
  for (const V& v : ends) gap.put(v, at);
  std::size_t i = 0;
  for (; i + lanes <= left; i += lanes) gap.put(hn::LoadU(d, rest + i), at);
  for (; i < left; ++i) keys[rest[i] < pivot ? gap.front++ : --gap.back] = rest[i];
  return gap.front;
}

/// The median of keys at regular distances.
std::uint32_t pivot_of(const std::uint32_t* keys, std::size_t count) {
  std::uint32_t sample[2 * lanes];
  for (std::size_t i = 0; i < 2 * lanes; ++i) sample[i] = keys[i * (count / (2 * lanes))];
  sort_in_vectors<2>(sample, 2 * lanes);
  return sample[lanes];
}

/// `levels`: of recursion, before another sort takes over.
void sort_range(std::uint32_t* keys, std::size_t count, int levels) {
  while (count > 8 * lanes) {
    if (levels-- == 0) return std::sort(keys, keys + count);
    const std::uint32_t pivot = pivot_of(keys, count);
    std::size_t below = split(keys, count, pivot);
    if (below == 0) {  // the pivot is the smallest key; its equals need no more sorting
      if (pivot == ~std::uint32_t{0}) return;
      below = split(keys, count, pivot + 1);
    } else {
      sort_range(keys, below, levels);
    }
    keys += below;
    count -= below;
  }
  few_keys_kernel({keys, count});
}

#endif
#endif

bool quicksort_kernel([[maybe_unused]] std::span<std::uint32_t> keys) {
#if EMGRAPH_SPLITS_KEYS
  sort_range(keys.data(), keys.size(), 2 * static_cast<int>(std::bit_width(keys.size())));
  return true;
#else
  return false;
#endif
}

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::core {

HWY_EXPORT(few_keys_kernel);
HWY_EXPORT(quicksort_kernel);

bool network_sort(std::span<std::uint32_t> keys) {
  return HWY_DYNAMIC_DISPATCH(few_keys_kernel)(keys);
}

bool network_quicksort(std::span<std::uint32_t> keys) {
  return HWY_DYNAMIC_DISPATCH(quicksort_kernel)(keys);
}

bool is_amd_family_25() {
#if HWY_ARCH_X86
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0 || ebx != signature_AMD_ebx) return false;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return false;
  constexpr unsigned base_family = 0xf;
  return (eax >> 8 & 0xf) == base_family && base_family + (eax >> 20 & 0xff) == 25;
#else
  return false;
#endif
}

}  // namespace emgraph::core
#endif
