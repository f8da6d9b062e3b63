// SPDX-License-Identifier: MIT
// Calls Highway's sorter.
#include "core/base/vector_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>

namespace emgraph::core {
namespace {

// hwy::Sorter allocates its scratch space on construction, so each thread keeps one.
const hwy::Sorter& sorter() {
  thread_local const hwy::Sorter instance;
  return instance;
}

}  // namespace

void vector_sort(std::span<std::uint64_t> keys) {
  sorter()(keys.data(), keys.size(), hwy::SortAscending());
}

void vector_sort(std::span<std::uint32_t> keys) {
  sorter()(keys.data(), keys.size(), hwy::SortAscending());
}

void vector_sort(std::span<uint128> keys) {
  // hwy::uint128_t is {lo, hi}, which is the layout of the compiler's integer on little-endian machines.
  static_assert(std::endian::native == std::endian::little && sizeof(hwy::uint128_t) == sizeof(uint128));
  sorter()(reinterpret_cast<hwy::uint128_t*>(keys.data()), keys.size(), hwy::SortAscending());
}

}  // namespace emgraph::core
