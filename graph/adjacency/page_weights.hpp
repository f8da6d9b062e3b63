// SPDX-License-Identifier: MIT
// Coding of the weights of a fragment: all with the same number of bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "graph/weighting.hpp"

namespace emgraph::graph::adjacency {

// Weights are their stored bits, zero-extended to 64 bits. A fragment stores its weights with the smallest
// number of bytes (the width, 0 to 8) that holds each of them, little-endian.

/// Bytes that pack_weights may overwrite after the weights, and unpack_weights may read.
inline constexpr std::size_t weight_overrun_bytes = 8;

inline unsigned width_of(std::uint64_t bits) {
  return (static_cast<unsigned>(std::bit_width(bits)) + 7) / 8;
}

inline unsigned width_of(std::span<const std::uint64_t> weights) {
  std::uint64_t all = 0;
  for (const std::uint64_t weight : weights) all |= weight;
  return width_of(all);
}

/// Writes the weights and returns their end.
inline std::byte* pack_weights(std::span<const std::uint64_t> weights, unsigned width, std::byte* to) {
  for (const std::uint64_t weight : weights) {
    std::memcpy(to, &weight, sizeof weight);
    to += width;
  }
  return to;
}

/// Reads `count` weights. Without branches: a load of 8 bytes and a mask for each.
inline void unpack_weights(const std::byte* from, unsigned width, std::size_t count, std::uint64_t* out) {
  constexpr std::array<std::uint64_t, 9> masks = {0,
                                                  0xff,
                                                  0xffff,
                                                  0xffffff,
                                                  0xffffffff,
                                                  0xffffffffff,
                                                  0xffffffffffff,
                                                  0xffffffffffffff,
                                                  0xffffffffffffffff};
  const std::uint64_t mask = masks[width];
  for (std::size_t i = 0; i < count; ++i, from += width) {
    std::uint64_t bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    out[i] = bytes & mask;
  }
}

/// True if the ranks of all weights are in `ranks`.
inline bool all_within(WeightType type, const WeightRanks& ranks, std::span<const std::uint64_t> weights) {
  bool all = true;
  for (const std::uint64_t weight : weights) all &= ranks.contains(rank_of_weight(type, weight));
  return all;
}

}  // namespace emgraph::graph::adjacency
