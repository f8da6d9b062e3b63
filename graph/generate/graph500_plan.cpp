// SPDX-License-Identifier: MIT
// Constants of one Graph500 graph from its scale and seeds, and one edge level by level.
#include "graph/generate/graph500_plan.hpp"

namespace emgraph::graph::generate {
namespace {

std::uint64_t reversed_bits(std::uint64_t word) {
  word = (word >> 1 & 0x5555555555555555u) | (word & 0x5555555555555555u) << 1;
  word = (word >> 2 & 0x3333333333333333u) | (word & 0x3333333333333333u) << 2;
  word = (word >> 4 & 0x0f0f0f0f0f0f0f0fu) | (word & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(word);
}

std::uint64_t scrambled(const Graph500Plan& plan, std::uint64_t id) {
  const int shift = 64 - plan.scale;
  id = reversed_bits((id + plan.scramble_add) * plan.scramble_multiplier_1) >> shift;
  return reversed_bits(id * plan.scramble_multiplier_2) >> shift;
}

std::uint64_t scramble_value(RecurrenceState& state) {
  const std::uint64_t high = state.next();
  return high * 0xffffffffu + state.next();
}

}  // namespace

Graph500Plan make_graph500_plan(int scale, std::uint64_t seed_1, std::uint64_t seed_2) {
  const RecurrenceJumps jumps = make_recurrence_jumps();
  Graph500Plan plan;
  plan.scale = scale;
  plan.start = seeded_recurrence(seed_1, seed_2);
  for (std::size_t k = 0; k < plan.edge_jumps.size(); ++k) plan.edge_jumps[k] = jumps[64 + k];
  RecurrenceState state = jumped(jumps, plan.start, 50, 7, 0);
  const std::uint64_t value_1 = scramble_value(state);
  const std::uint64_t value_2 = scramble_value(state);
  plan.scramble_add = value_1 + value_2;
  plan.scramble_multiplier_1 = value_1 | 0x4519840211493211u;
  plan.scramble_multiplier_2 = value_2 | 0x3050852102c843a5u;
  return plan;
}

RecurrenceState start_of_edge(const Graph500Plan& plan, std::uint64_t index) {
  RecurrenceState state = plan.start;
  for (std::size_t k = 0; index != 0; ++k, index >>= 1) {
    if (index & 1) state = plan.edge_jumps[k].from(state);
  }
  return state;
}

Graph500Edge graph500_edge(const Graph500Plan& plan, RecurrenceState state) {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  for (int level = 0; level < plan.scale; ++level) {
    std::uint32_t word = state.next();
    while (word < graph500_drawn_again_below) word = state.next();
    const std::uint32_t rest = word % graph500_denominator;
    std::uint64_t source_bit =
        (rest >= graph500_b_below && rest < graph500_c_below) || rest >= graph500_a_below;
    std::uint64_t target_bit = rest < graph500_b_below || rest >= graph500_a_below;
    // Of an undirected graph only the triangle source <= target is drawn: on the diagonal C is B.
    if (source == target && source_bit > target_bit) source_bit = 0, target_bit = 1;
    source = 2 * source + source_bit;
    target = 2 * target + target_bit;
  }
  return {scrambled(plan, source), scrambled(plan, target), state.next()};
}

}  // namespace emgraph::graph::generate
