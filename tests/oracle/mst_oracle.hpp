// SPDX-License-Identifier: MIT
// The minimum spanning forest by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

namespace emgraph::tests {

/// A long double with a 64-bit mantissa holds weights of every type exactly.
struct WeightedEdge {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  long double weight = 0;
  bool operator==(const WeightedEdge&) const = default;
};

/// Kruskal's algorithm; ties go to the smaller (low, high). Returns edges with the low end first, ascending.
std::vector<WeightedEdge> minimum_spanning_forest(std::uint64_t nodes, std::vector<WeightedEdge> edges);

/// The contract's hash weight of an edge.
std::uint64_t hash_weight(std::uint64_t a, std::uint64_t b, std::uint64_t modulus);

}  // namespace emgraph::tests
