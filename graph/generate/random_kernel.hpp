// SPDX-License-Identifier: MIT
// Vector kernels of random words, and of the uniform random graph for up to 2^32 - 1 nodes with its formula
// for one edge.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/generate/counter_hash.hpp"

namespace emgraph::graph::generate {

struct SmallRandomEdge {
  std::uint32_t source;
  std::uint32_t target;
};

/// One hash word gives both ends, 32 bits each: end = bits * nodes / 2^32, rounded down. The probability of a
/// node differs from 1/nodes by less than 2^-32, that is by a factor within 1 +- nodes / 2^32.
constexpr SmallRandomEdge small_random_edge(std::uint64_t key, std::uint32_t nodes, std::uint64_t index) {
  const std::uint64_t word = counter_word(key, index);
  const std::uint64_t low = (word & 0xffffffffu) * nodes;
  const std::uint64_t high = (word >> 32) * nodes;
  return {static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high >> 32)};
}

/// Writes edges first_edge .. first_edge + count - 1 as source, target, source, ... into `out` (2 * count
/// ids). The vector width is chosen at run time; the result does not depend on it.
void fill_small_random(std::uint64_t key, std::uint32_t nodes, std::uint64_t first_edge, std::uint32_t* out,
                       std::size_t count);

/// Writes counter_word(key, i) of i = first .. first + count - 1 into `out`.
void fill_words(std::uint64_t key, std::uint64_t first, std::uint64_t* out, std::size_t count);

}  // namespace emgraph::graph::generate
