// SPDX-License-Identifier: MIT
// A bitonic network whose lines are the lanes of vectors: key i is in lane i % lanes of vector i / lanes.
#include "core/base/sorting_network.hpp"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/base/sorting_network.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

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
        high =
            hn::Max(low, mirrored);  // its lanes are mirrored in all of this half; they are bitonic as well
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

#endif

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::core {

HWY_EXPORT(few_keys_kernel);

bool network_sort(std::span<std::uint32_t> keys) {
  return HWY_DYNAMIC_DISPATCH(few_keys_kernel)(keys);
}

}  // namespace emgraph::core
#endif
