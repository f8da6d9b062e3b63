// SPDX-License-Identifier: MIT
// The constants of one Graph500 graph, one edge in plain arithmetic, and the vector kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graph/generate/multiple_recursive.hpp"

namespace emgraph::graph::generate {

/// A word of the generator falls into a quadrant by its remainder modulo 10000: B below 1900, C below 3800, A
/// below 9500, else D. Words below 2^31 - 1 mod 10000 are drawn again, so that no remainder is favoured.
inline constexpr std::uint32_t graph500_denominator = 10000;
inline constexpr std::uint32_t graph500_b_below = 1900;
inline constexpr std::uint32_t graph500_c_below = 3800;
inline constexpr std::uint32_t graph500_a_below = 9500;
inline constexpr std::uint32_t graph500_drawn_again_below = recurrence_modulus % graph500_denominator;

struct Graph500Plan {
  int scale = 1;
  RecurrenceState start;                        // of edge 0
  std::array<RecurrenceJump, 64> edge_jumps{};  // from the start of an edge to that 2^k edges later
  std::uint64_t scramble_add = 0;
  std::uint64_t scramble_multiplier_1 = 1;
  std::uint64_t scramble_multiplier_2 = 1;
};

Graph500Plan make_graph500_plan(int scale, std::uint64_t seed_1, std::uint64_t seed_2);

/// The state from which edge `index` is drawn: 2^64 index steps after the start.
RecurrenceState start_of_edge(const Graph500Plan& plan, std::uint64_t index);

struct Graph500Edge {
  std::uint64_t source;
  std::uint64_t target;
  std::uint32_t weight_word;
};

/// The edge drawn from `state`.
Graph500Edge graph500_edge(const Graph500Plan& plan, RecurrenceState state);

/// The weight of a word: in [0, 1], with the roundings of the reference code.
inline float graph500_weight(std::uint32_t word) {
  return static_cast<float>(static_cast<double>(static_cast<float>(word)) * .000000000465661287524579692);
}

/// Vector kernel (graph500_kernel.cpp); the result does not depend on the vector width. Writes edges
/// first_edge ... first_edge + count - 1 as source, target, source ... into `out` (2 * count ids), and their
/// weights into `weights` unless that is null. Requires: plan.scale <= 32.
void fill_graph500(const Graph500Plan& plan, std::uint64_t first_edge, std::uint32_t* out, float* weights,
                   std::size_t count);

/// The same for any scale.
void fill_graph500(const Graph500Plan& plan, std::uint64_t first_edge, std::uint64_t* out, float* weights,
                   std::size_t count);

}  // namespace emgraph::graph::generate
