// SPDX-License-Identifier: MIT
// Sorting for tests: compiled without sanitizers, under which std::sort of a test takes longer than what is
// tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

/// The numbers of the rows in ascending order. A row is `width` words, compared one after the other; equal
/// rows stay in the order of their numbers.
std::vector<std::size_t> ascending(std::span<const std::uint64_t> words, std::size_t width);

/// Sorts by source, then by target.
void sort_edges(std::vector<graph::Edge64>& edges);

/// How many different values there are.
std::uint64_t count_distinct(std::vector<std::uint64_t> values);

/// The elements in the order of the rows, one row for each.
template <class T>
std::vector<T> in_order_of(const std::vector<T>& elements, std::span<const std::uint64_t> words,
                           std::size_t width) {
  std::vector<T> sorted;
  sorted.reserve(elements.size());
  for (const std::size_t i : ascending(words, width)) sorted.push_back(elements[i]);
  return sorted;
}

}  // namespace emgraph::tests
