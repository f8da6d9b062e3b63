// SPDX-License-Identifier: MIT
// A bitonic network whose lines are the lanes of vectors: key i is in lane i % lanes of vector i / lanes.
// Included once per instruction set by the kernels (Highway's "-inl" convention).
#if defined(EMGRAPH_CORE_BASE_SORTING_NETWORK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef EMGRAPH_CORE_BASE_SORTING_NETWORK_INL_HPP
#undef EMGRAPH_CORE_BASE_SORTING_NETWORK_INL_HPP
#else
#define EMGRAPH_CORE_BASE_SORTING_NETWORK_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

/// `Key`: unsigned, of 32 or 64 bits.
template <class Key>
struct SortingNetwork {
  using D = hn::CappedTag<Key, 64 / sizeof(Key)>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());
  static constexpr std::size_t most_keys = 8 * lanes;
  /// A network of six vectors between those of four and eight, for short parts of vector_quicksort. Left out
  /// for 32-bit keys, for which it would add 13 KB to the program.
  static constexpr std::size_t tight_vectors = sizeof(Key) == 8 ? 6 : 4;

  /// Writes the `count` <= most_keys keys `from` to `to`, ascending; both may be the same.
  static HWY_INLINE void sort(const Key* from, Key* to, std::size_t count) {
    if (count <= lanes) {
      sort_in_vectors<1>(from, to, count);
    } else if (count <= 2 * lanes) {
      sort_in_vectors<2>(from, to, count);
    } else if (count <= 4 * lanes) {
      sort_in_vectors<4>(from, to, count);
    } else if (count <= tight_vectors * lanes) {
      sort_in_vectors<tight_vectors>(from, to, count);
    } else {
      sort_in_vectors<8>(from, to, count);
    }
  }

 private:
  /// Lane i gets lane i ^ distance.
  template <std::size_t distance>
  static HWY_INLINE V exchanged(V v) {
    const D d;
    if constexpr (distance == 1) {
      return hn::Reverse2(d, v);
    } else if constexpr (distance == 2 && sizeof(Key) == 4) {
      return hn::Shuffle1032(v);
    } else if constexpr (distance == 3) {
      return hn::Reverse4(d, v);
    } else if constexpr (distance == lanes - 1) {
      return hn::Reverse(d, v);
    } else if constexpr (distance == lanes / 2) {
      return hn::ConcatLowerUpper(d, v, v);
    } else if constexpr (distance * sizeof(Key) == 16) {
      return hn::SwapAdjacentBlocks(v);
    } else {
      static_assert(distance == 7);
      return hn::Reverse8(d, v);
    }
  }

  /// Orders lanes i and i ^ distance: the upper one, which has the bit `upper`, gets the larger key.
  template <std::size_t distance, std::size_t upper, std::size_t vectors>
  static HWY_INLINE void order_lanes(V* v) {
    const D d;
    const auto bit = hn::Set(d, static_cast<Key>(upper));
    const auto takes_larger = hn::Eq(hn::And(hn::Iota(d, 0), bit), bit);
    for (std::size_t i = 0; i < vectors; ++i) {
      const V other = exchanged<distance>(v[i]);
      v[i] = hn::IfThenElse(takes_larger, hn::Max(v[i], other), hn::Min(v[i], other));
    }
  }

  /// Sorts bitonic sequences of 2 · distance lanes.
  template <std::size_t distance, std::size_t vectors>
  static HWY_INLINE void merge_lanes(V* v) {
    if constexpr (distance > 0) {
      order_lanes<distance, distance, vectors>(v);
      merge_lanes<distance / 2, vectors>(v);
    }
  }

  /// Sorts blocks of `size` lanes of each vector, whose halves are sorted.
  template <std::size_t size, std::size_t vectors>
  static HWY_INLINE void merge_blocks_of_lanes(V* v) {
    if constexpr (size <= lanes) {
      order_lanes<size - 1, size / 2, vectors>(v);
      merge_lanes<size / 4, vectors>(v);
      merge_blocks_of_lanes<2 * size, vectors>(v);
    }
  }

  /// Sorts blocks of `size` vectors, whose halves are sorted. A vector beyond the last one would hold the
  /// largest key in all lanes, so that nothing would be exchanged with it.
  template <std::size_t size, std::size_t vectors>
  static HWY_INLINE void merge_blocks(V* v) {
    if constexpr (size < 2 * vectors) {
      const D d;
      for (std::size_t block = 0; block < vectors; block += size) {
        for (std::size_t i = 0; i < size / 2; ++i) {
          if (block + size - 1 - i >= vectors) continue;
          V& low = v[block + i];
          V& high = v[block + size - 1 - i];
          const V mirrored = hn::Reverse(d, high);
          // The lanes stay mirrored in all of this half: they are bitonic as well.
          high = hn::Max(low, mirrored);
          low = hn::Min(low, mirrored);
        }
      }
      for (std::size_t distance = size / 4; distance > 0; distance /= 2) {
        for (std::size_t i = 0; i + distance < vectors; ++i) {
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

  static HWY_INLINE V largest() { return hn::Set(D(), static_cast<Key>(~Key{0})); }

  /// The first `count` keys, then the largest ones.
  static HWY_INLINE V load_first(const Key* keys, std::size_t count) {
    const D d;
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN Key copy[lanes];
    hn::Store(largest(), d, copy);
    std::memcpy(copy, keys, count * sizeof *keys);
    return hn::Load(d, copy);
#else
    const auto first = hn::FirstN(d, count);
    return hn::IfThenElse(first, hn::MaskedLoad(first, d, keys), largest());
#endif
  }

  static HWY_INLINE void store_first(V v, Key* keys, std::size_t count) {
    const D d;
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN Key copy[lanes];
    hn::Store(v, d, copy);
    std::memcpy(keys, copy, count * sizeof *keys);
#else
    hn::BlendedStore(v, hn::FirstN(d, count), d, keys);
#endif
  }

  template <std::size_t vectors>
  static HWY_NOINLINE void sort_in_vectors(const Key* from, Key* to, std::size_t count) {
    const D d;
    V v[vectors];
    const std::size_t whole = count / lanes;
    const std::size_t left = count % lanes;
    for (std::size_t i = 0; i < vectors; ++i) {
      v[i] = i < whole ? hn::LoadU(d, from + i * lanes) : largest();
      if (i == whole && left > 0) v[i] = load_first(from + i * lanes, left);
    }
    merge_blocks_of_lanes<2, vectors>(v);
    merge_blocks<2, vectors>(v);
    for (std::size_t i = 0; i < vectors; ++i) {
      if (i < whole) hn::StoreU(v[i], d, to + i * lanes);
      if (i == whole && left > 0) store_first(v[i], to + i * lanes, left);
    }
  }
};

#endif

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
