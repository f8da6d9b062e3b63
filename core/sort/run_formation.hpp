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

#include "core/base/branchless_quicksort.hpp"
#include "core/base/integers.hpp"
#include "core/base/vector_sort.hpp"

namespace emgraph::core {

/// True if vector_sort gives the order of Less. Equal keys then have the same bits, so their order does not
/// matter.
template <class T, class Less>
inline constexpr bool vector_sortable = (std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t> ||
                                         std::same_as<T, uint128>)&&(std::same_as<Less, std::less<T>> ||
                                                                     std::same_as<Less, std::less<>>);

/// Records up to this size are sorted by moves without branches.
inline constexpr std::size_t most_moved_bytes = 32;

/// Sorts `records` by `less`, not stably.
template <class T, class Less>
void sort_records(std::span<T> records, const Less& less) {
  if constexpr (vector_sortable<T, Less>) {
    vector_sort(records);
  } else if constexpr (sizeof(T) <= most_moved_bytes) {
    BranchlessQuicksort<T, Less>::sort(records.data(), records.data() + records.size(), less);
  } else {
    std::sort(records.begin(), records.end(), less);
  }
}

}  // namespace emgraph::core
