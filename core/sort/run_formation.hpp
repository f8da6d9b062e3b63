// SPDX-License-Identifier: MIT
// Sorts records in memory: vectorised for unsigned integers, by comparisons for other records.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

#include "core/base/integers.hpp"
#include "core/base/vector_sort.hpp"
#include "core/sort/run_formation_quicksort.hpp"

namespace emgraph::core {

/// True if vector_sort gives the order of Less. Equal keys then have the same bits, so their order does not
/// matter.
template <class T, class Less>
inline constexpr bool vector_sortable = (std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t> ||
                                         std::same_as<T, uint128>)&&(std::same_as<Less, std::less<T>> ||
                                                                     std::same_as<Less, std::less<>>);

/// With fewer keys vqsort is slower than a quicksort, because it gets a random seed from the kernel in each
/// call. Measured: 16, 32, 64, 256 u64 keys: vqsort 56, 103, 195, 367 M/s, BranchlessQuicksort 134, 107, 97,
/// 84, std::sort 131, 75, 61, 45; u32 the same within 10 % up to 64 (EPYC with AVX-512, hwy 1.0.3, CPU time).
inline constexpr std::size_t least_vector_keys = 32;

/// Records up to this size are sorted by moves without branches.
inline constexpr std::size_t most_moved_bytes = 32;

/// Sorts `records` by `less`, not stably.
template <class T, class Less>
void sort_records(std::span<T> records, const Less& less) {
  if constexpr (vector_sortable<T, Less>) {
    if (records.size() >= least_vector_keys) return vector_sort(records);
  }
  if constexpr (sizeof(T) <= most_moved_bytes) {
    BranchlessQuicksort<T, Less>::sort(records.data(), records.data() + records.size(), less);
  } else {
    std::sort(records.begin(), records.end(), less);
  }
}

}  // namespace emgraph::core
