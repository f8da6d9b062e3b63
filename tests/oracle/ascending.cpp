// SPDX-License-Identifier: MIT
// The comparisons are lambdas: what the library instantiates for them is in no other, instrumented, object.
#include "tests/oracle/ascending.hpp"

#include <algorithm>

namespace emgraph::tests {

std::vector<std::size_t> ascending(std::span<const std::uint64_t> words, std::size_t width) {
  std::vector<std::size_t> order(words.size() / width);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < width; ++i) {
      const std::uint64_t left = words[a * width + i];
      const std::uint64_t right = words[b * width + i];
      if (left != right) return left < right;
    }
    return a < b;
  });
  return order;
}

void sort_edges(std::vector<graph::Edge64>& edges) {
  std::sort(edges.begin(), edges.end(), [](const graph::Edge64& a, const graph::Edge64& b) {
    return a.source != b.source ? a.source < b.source : a.target < b.target;
  });
}

std::uint64_t count_distinct(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end(), [](std::uint64_t a, std::uint64_t b) { return a < b; });
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) count += i == 0 || values[i] != values[i - 1];
  return count;
}

}  // namespace emgraph::tests
