// SPDX-License-Identifier: MIT
// Splits ranges by a pivot, scatters the smaller ones, sorts the parts by the network.
#include "core/base/vector_quicksort.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/base/vector_quicksort.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "core/base/bytes.hpp"
#include "core/base/sorting_network_inl.hpp"
#include "core/base/vector_split_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::core::HWY_NAMESPACE {

// Not measured without AVX-512.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

template <class Key>
class Quicksort {
 public:
  static void sort(std::span<Key> keys, int levels) {
    if (keys.size() >= least_scattered) return sort_many(keys, levels);
    Quicksort(nullptr).sort_range(keys.data(), keys.size(), levels, 0);
  }

 private:
  using Network = SortingNetwork<Key>;
  using Split = VectorSplit<Key>;
  using D = typename Network::D;
  using V = typename Network::V;
  static constexpr std::size_t lanes = Network::lanes;
  // Measured with u64 keys on Zen 4, pieces of 2,048; 4,096; 8,192; 16,384; 32,768 keys: 65,536 keys at 207,
  // 232, 235, 261, 278 M/s, 1 M at 166, 180, 185, 199, 210.
  static constexpr std::size_t most_scattered = 16 * 1024;
  static constexpr std::size_t least_scattered = 512;
  static constexpr std::size_t keys_per_part = 28;
  static constexpr std::size_t most_parts = divide_up(most_scattered, keys_per_part);

  explicit Quicksort(Key* scattered) : scattered_(scattered) {}

  /// Not inlined: to enter a function with so much on the stack takes 0.3 us.
  static HWY_NOINLINE void sort_many(std::span<Key> keys, int levels) {
    Key scattered[most_scattered];
    Quicksort(scattered).sort_range(keys.data(), keys.size(), levels, most_scattered);
  }

  /// The median of keys at regular distances.
  static Key pivot_of(const Key* keys, std::size_t count) {
    constexpr std::size_t sampled = 4 * lanes;
    Key sample[sampled];
    for (std::size_t i = 0; i < sampled; ++i) sample[i] = keys[i * (count / sampled)];
    Network::sort(sample, sample, sampled);
    return sample[sampled / 2];
  }

  /// Parts of equal width between the least and the largest key.
  struct Parts {
    Key least;
    int shift;            ///< (key - least) >> shift has at most 16 bits
    std::uint32_t scale;  ///< times that, the upper half of 32 bits is the part
    std::size_t count;

    Parts(const Key* keys, std::size_t keys_count) {
      const D d;
      V low = hn::LoadU(d, keys + keys_count - lanes);
      V high = low;
      for (std::size_t i = 0; i + lanes <= keys_count; i += lanes) {
        const V v = hn::LoadU(d, keys + i);
        low = hn::Min(low, v);
        high = hn::Max(high, v);
      }
      least = hn::GetLane(hn::MinOfLanes(d, low));
      const Key range = hn::GetLane(hn::MaxOfLanes(d, high)) - least;
      shift = std::max(0, static_cast<int>(std::bit_width(range)) - 16);
      const std::size_t cells = static_cast<std::size_t>(range >> shift) + 1;
      count = std::min(cells, keys_count / keys_per_part);
      scale = static_cast<std::uint32_t>((count << 16) / cells);
    }

    /// Calls take(i, part) for each key i.
    template <class Take>
    HWY_INLINE void for_each(const Key* keys, std::size_t keys_count, const Take& take) const {
      const D d;
      constexpr std::size_t here = 4 * lanes;
      const V first = hn::Set(d, least);
      const V scales = hn::Set(d, static_cast<Key>(scale));
      Key parts[here];
      std::size_t i = 0;
      for (; i + here <= keys_count; i += here) {
        for (std::size_t at = 0; at < here; at += lanes) {
          const V cell = hn::ShiftRightSame(hn::Sub(hn::LoadU(d, keys + i + at), first), shift);
          hn::StoreU(hn::ShiftRight<16>(product(cell, scales)), d, parts + at);
        }
        for (std::size_t at = 0; at < here; ++at) take(i + at, static_cast<std::size_t>(parts[at]));
      }
      for (; i < keys_count; ++i) take(i, static_cast<std::size_t>((keys[i] - least) >> shift) * scale >> 16);
    }

   private:
    static HWY_INLINE V product(V a, V b) {
      if constexpr (sizeof(Key) == 4) {
        return hn::Mul(a, b);
      } else {
        const hn::Repartition<std::uint32_t, D> of_halves;
        return hn::MulEven(hn::BitCast(of_halves, a), hn::BitCast(of_halves, b));
      }
    }
  };

  /// Returns false, having done nothing, if a part has more than a quarter of the keys.
  HWY_NOINLINE bool scatter(Key* keys, std::size_t count, int levels) {
    const Parts parts(keys, count);
    std::array<std::uint32_t, most_parts> ends;
    std::fill_n(ends.begin(), parts.count, 0);
    parts.for_each(keys, count, [&](std::size_t, std::size_t part) { ++ends[part]; });
    if (*std::max_element(ends.begin(), ends.begin() + parts.count) > count / 4) return false;
    std::uint32_t begin = 0;
    for (std::size_t part = 0; part < parts.count; ++part) begin += std::exchange(ends[part], begin);
    parts.for_each(keys, count, [&](std::size_t i, std::size_t part) { scattered_[ends[part]++] = keys[i]; });
    begin = 0;
    bool larger = false;
    for (std::size_t part = 0; part < parts.count; begin = ends[part++]) {
      const std::size_t size = ends[part] - begin;
      if (size > Network::most_keys) {
        std::memcpy(keys + begin, scattered_ + begin, size * sizeof *keys);
        larger = true;
      } else if (size > 0) {
        Network::sort(scattered_ + begin, keys + begin, size);
      }
    }
    begin = 0;
    for (std::size_t part = 0; larger && part < parts.count; begin = ends[part++]) {
      const std::size_t size = ends[part] - begin;
      if (size > Network::most_keys) sort_range(keys + begin, size, levels, most_scattered);
    }
    return true;
  }

  /// `levels`: of recursion, before another sort takes over. `scattered`: as many keys may be scattered.
  HWY_NOINLINE void sort_range(Key* keys, std::size_t count, int levels, std::size_t scattered) {
    while (count > Network::most_keys) {
      if (levels-- == 0) {
        std::make_heap(keys, keys + count);
        return std::sort_heap(keys, keys + count);
      }
      if (count <= scattered && count >= least_scattered) {
        if (scatter(keys, count, levels)) return;
        scattered = count / 4;  // keys that lie together do so in most parts of the range, too
      }
      const Key pivot = pivot_of(keys, count);
      std::size_t below = Split::split(keys, count, pivot);
      if (below == 0) {  // the pivot is the smallest key; its equals need no more sorting
        if (pivot == static_cast<Key>(~Key{0})) return;
        below = Split::split(keys, count, pivot + 1);
      } else {
        sort_range(keys, below, levels, scattered);
      }
      keys += below;
      count -= below;
    }
    Network::sort(keys, keys, count);
  }

  Key* const scattered_;  ///< null: ranges are not scattered
};

#endif

template <class Key>
bool quicksort([[maybe_unused]] std::span<Key> keys, [[maybe_unused]] int levels) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  Quicksort<Key>::sort(keys, levels);
  return true;
#else
  return false;
#endif
}

bool quicksort_kernel(std::span<std::uint32_t> keys, int levels) {
  return quicksort(keys, levels);
}

bool long_quicksort_kernel(std::span<std::uint64_t> keys, int levels) {
  return quicksort(keys, levels);
}

}  // namespace emgraph::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::core {

HWY_EXPORT(quicksort_kernel);
HWY_EXPORT(long_quicksort_kernel);

bool vector_quicksort(std::span<std::uint32_t> keys, int levels) {
  return HWY_DYNAMIC_DISPATCH(quicksort_kernel)(keys, levels);
}

bool vector_quicksort(std::span<std::uint64_t> keys, int levels) {
  return HWY_DYNAMIC_DISPATCH(long_quicksort_kernel)(keys, levels);
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
