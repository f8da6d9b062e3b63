// SPDX-License-Identifier: MIT
// Calls Highway's sorter, and for few keys the quicksort without vectors.
#include "core/base/vector_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>
#include <bit>
#include <cstddef>
#include <functional>

#include "core/base/branchless_quicksort.hpp"

namespace emgraph::core {
namespace {

// hwy::Sorter allocates its scratch space on construction, so each thread keeps one.
const hwy::Sorter& sorter() {
  thread_local const hwy::Sorter instance;
  return instance;
}

// With fewer keys vqsort is slower than a quicksort, because it gets a random seed from the kernel in each
// call. Measured: 16, 32, 64, 256 u64 keys: vqsort 56, 103, 195, 367 M/s, BranchlessQuicksort 134, 107, 97,
// 84, std::sort 131, 75, 61, 45; u32 the same within 10 % up to 64 (EPYC with AVX-512, hwy 1.0.3, CPU time).
constexpr std::size_t least_vector_keys = 32;

// `HwyKey`: the type by which Highway knows the keys.
template <class HwyKey, class Key>
void sort_as(std::span<Key> keys) {
  if (keys.size() < least_vector_keys) {
    BranchlessQuicksort<Key, std::less<>>::sort(keys.data(), keys.data() + keys.size(), {});
  } else {
    sorter()(reinterpret_cast<HwyKey*>(keys.data()), keys.size(), hwy::SortAscending());
  }
}

}  // namespace

void vector_sort(std::span<std::uint64_t> keys) {
  sort_as<std::uint64_t>(keys);
}

void vector_sort(std::span<std::uint32_t> keys) {
  sort_as<std::uint32_t>(keys);
}

void vector_sort(std::span<uint128> keys) {
  // hwy::uint128_t is {lo, hi}, which is the layout of the compiler's integer on little-endian machines.
  static_assert(std::endian::native == std::endian::little && sizeof(hwy::uint128_t) == sizeof(uint128));
  sort_as<hwy::uint128_t>(keys);
}

}  // namespace emgraph::core
