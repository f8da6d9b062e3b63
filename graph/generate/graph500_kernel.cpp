// SPDX-License-Identifier: MIT
// Vector kernels for Graph500's edges: an edge per 64-bit lane.
//
// The generator's state for edge i + 1 is that for edge i times the matrix of 2^64 steps. A lane goes to its
// next edge by the matrix for as many edges as there are lanes in work. Then it draws a word per level: two
// products, one reduction modulo 2^31 - 1, and a third product for the remainder modulo 10000. Two vectors
// are in work at once, because the words of one lane depend on each other.
//
// A word that must be drawn again has probability 1.7e-6; such an edge is made again in plain arithmetic.
// The reference code orders the ends of an edge at the first level where they differ (source <= target). To
// order them once after the last level gives the same edge, because only that level's bits are exchanged.
#include "graph/generate/graph500_plan.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/generate/graph500_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::generate::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using MrgLanes = hn::ScalableTag<std::uint64_t>;
using MrgWords = hn::Vec<MrgLanes>;

/// Product of the low 32 bits of each lane.
HWY_INLINE MrgWords product(MrgWords a, MrgWords b) {
  const hn::Repartition<std::uint32_t, MrgLanes> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
}

HWY_INLINE MrgWords constant(std::uint64_t value) {
  return hn::Set(MrgLanes(), value);
}

/// The smaller of two words below 2^32.
HWY_INLINE MrgWords smaller(MrgWords a, MrgWords b) {
  const hn::Repartition<std::uint32_t, MrgLanes> d32;
  return hn::BitCast(MrgLanes(), hn::Min(hn::BitCast(d32, a), hn::BitCast(d32, b)));
}

/// Same remainder modulo 2^31 - 1; below 2^31 + 2^(b-31) for words below 2^b.
HWY_INLINE MrgWords folded(MrgWords word) {
  return hn::Add(hn::And(word, constant(recurrence_modulus)), hn::ShiftRight<31>(word));
}

/// From [0, 2 (2^31 - 1)) to [0, 2^31 - 1): what is below the modulus wraps to a large number.
HWY_INLINE MrgWords reduced_once(MrgWords word) {
  const hn::Repartition<std::uint32_t, MrgLanes> d32;
  const auto less = hn::Sub(hn::BitCast(d32, word), hn::BitCast(d32, constant(recurrence_modulus)));
  return smaller(word, hn::BitCast(MrgLanes(), less));
}

struct MrgState {
  MrgWords word_1, word_2, word_3, word_4, word_5;
};

/// The sum of four products is below 2^64; folded and with the fifth it is below 2^63.
HWY_INLINE MrgWords row_times_state(const std::array<std::uint32_t, 5>& row, const MrgState& state) {
  const auto sum =
      hn::Add(hn::Add(product(constant(row[0]), state.word_1), product(constant(row[1]), state.word_2)),
              hn::Add(product(constant(row[2]), state.word_3), product(constant(row[3]), state.word_4)));
  return reduced_once(folded(folded(hn::Add(folded(sum), product(constant(row[4]), state.word_5)))));
}

HWY_INLINE void jump_lanes(const RecurrenceJump& jump, MrgState& state) {
  const MrgState before = state;
  state.word_1 = row_times_state(jump.rows[0], before);
  state.word_2 = row_times_state(jump.rows[1], before);
  state.word_3 = row_times_state(jump.rows[2], before);
  state.word_4 = row_times_state(jump.rows[3], before);
  state.word_5 = row_times_state(jump.rows[4], before);
}

/// first p x + y z < 2^58 + 2^48, so the folded word is below 2^31 + 2^28.
HWY_INLINE MrgWords next_words(MrgState& state) {
  const auto word = reduced_once(folded(hn::Add(product(constant(recurrence_first), state.word_1),
                                                product(constant(recurrence_fifth), state.word_5))));
  state = {word, state.word_1, state.word_2, state.word_3, state.word_4};
  return word;
}

/// Remainders by Lemire, Kaser, Kurz 2019 (doi 10.1002/spe.2689): with c = 2^45 / 10000 rounded up, which has
/// 32 bits, (c n mod 2^45) lies in [r, r + 1) 2^45 / 10000 for n < 2^31 with the remainder r.
inline constexpr std::uint64_t fraction_one = std::uint64_t{1} << 45;
constexpr std::uint64_t fraction_of(std::uint64_t remainder) {
  return (remainder * fraction_one + graph500_denominator - 1) / graph500_denominator;
}

/// The edges in work, one per lane.
struct EdgeLanes {
  MrgWords source, target;
  MrgWords lowest;  // of the words drawn
};

HWY_INLINE void draw_level(MrgState& state, EdgeLanes& edges) {
  const MrgLanes d;
  const hn::Repartition<std::int64_t, MrgLanes> di;
  const auto word = next_words(state);
  edges.lowest = smaller(edges.lowest, word);
  const auto fraction =
      hn::BitCast(di, hn::And(product(word, constant(fraction_of(1))), constant(fraction_one - 1)));
  const auto below = [&](std::uint32_t rest) {
    return hn::Lt(fraction, hn::Set(di, static_cast<std::int64_t>(fraction_of(rest))));
  };
  const auto b = hn::VecFromMask(di, below(graph500_b_below));
  const auto b_or_c = hn::VecFromMask(di, below(graph500_c_below));
  const auto not_d = hn::VecFromMask(di, below(graph500_a_below));
  // The bounds ascend: b implies b_or_c, which implies not_d. A true lane is -1.
  const auto target_zero = hn::BitCast(d, hn::Xor(b, not_d));                      // A or C
  const auto source_zero = hn::BitCast(d, hn::AndNot(hn::Xor(b, b_or_c), not_d));  // A or B
  const auto one = constant(1);
  edges.source = hn::Add(hn::Add(edges.source, edges.source), hn::Add(one, source_zero));
  edges.target = hn::Add(hn::Add(edges.target, edges.target), hn::Add(one, target_zero));
}

/// Where source > target: exchanges the highest bit in which they differ.
HWY_INLINE void order_ends(EdgeLanes& edges) {
  auto differ = hn::Xor(edges.source, edges.target);
  differ = hn::Or(differ, hn::ShiftRight<1>(differ));
  differ = hn::Or(differ, hn::ShiftRight<2>(differ));
  differ = hn::Or(differ, hn::ShiftRight<4>(differ));
  differ = hn::Or(differ, hn::ShiftRight<8>(differ));
  differ = hn::Or(differ, hn::ShiftRight<16>(differ));
  differ = hn::Or(differ, hn::ShiftRight<32>(differ));
  const auto bit = hn::And(hn::Xor(differ, hn::ShiftRight<1>(differ)), edges.source);
  edges.source = hn::Xor(edges.source, bit);
  edges.target = hn::Xor(edges.target, bit);
}

/// Exchanges neighbouring groups of `bits` bits; `low` has the lower groups' bits.
template <int bits>
HWY_INLINE MrgWords exchanged(MrgWords word, std::uint64_t low) {
  return hn::Or(hn::And(hn::ShiftRight<bits>(word), constant(low)),
                hn::ShiftLeft<bits>(hn::And(word, constant(low))));
}

/// The bits of each lane in reverse order.
HWY_INLINE MrgWords reversed_lanes(MrgWords word) {
  word = exchanged<1>(word, 0x5555555555555555u);
  word = exchanged<2>(word, 0x3333333333333333u);
  word = exchanged<4>(word, 0x0f0f0f0f0f0f0f0fu);
  word = exchanged<8>(word, 0x00ff00ff00ff00ffu);
  word = exchanged<16>(word, 0x0000ffff0000ffffu);
  return hn::Or(hn::ShiftRight<32>(word), hn::ShiftLeft<32>(word));
}

HWY_INLINE MrgWords scrambled_lanes(const Graph500Plan& plan, MrgWords id) {
  const int shift = 64 - plan.scale;
  id = hn::Mul(hn::Add(id, constant(plan.scramble_add)), constant(plan.scramble_multiplier_1));
  id = hn::ShiftRightSame(reversed_lanes(id), shift);
  id = hn::Mul(id, constant(plan.scramble_multiplier_2));
  return hn::ShiftRightSame(reversed_lanes(id), shift);
}

/// Where a vector of edges goes.
template <class Id>
struct EdgeTarget {
  Id* out;
  float* weights;
};

/// Completes the edges and stores them. `first` is the number of the first one.
template <class Id>
HWY_INLINE void store_edges(const Graph500Plan& plan, std::uint64_t first, MrgState& state, EdgeLanes& edges,
                            EdgeTarget<Id> to) {
  const MrgLanes d;
  const hn::Repartition<std::uint32_t, MrgLanes> d32;
  order_ends(edges);
  const auto source = scrambled_lanes(plan, edges.source);
  const auto target = scrambled_lanes(plan, edges.target);
  if constexpr (sizeof(Id) == 4) {
    hn::StoreU(hn::BitCast(d32, hn::Or(source, hn::ShiftLeft<32>(target))), d32, to.out);
  } else {
    hn::StoreInterleaved2(source, target, d, to.out);
  }
  const std::size_t lanes = hn::Lanes(d);
  if (to.weights != nullptr) {
    HWY_ALIGN std::uint64_t words[hn::MaxLanes(MrgLanes())];
    hn::Store(next_words(state), d, words);
    for (std::size_t k = 0; k < lanes; ++k) {
      to.weights[k] = graph500_weight(static_cast<std::uint32_t>(words[k]));
    }
  }
  const hn::Repartition<std::int64_t, MrgLanes> di;
  const auto again =
      hn::Lt(hn::BitCast(di, edges.lowest), hn::Set(di, std::int64_t{graph500_drawn_again_below}));
  if (HWY_LIKELY(hn::AllFalse(di, again))) return;
  for (std::size_t k = 0; k < lanes; ++k) {
    const Graph500Edge edge = graph500_edge(plan, start_of_edge(plan, first + k));
    to.out[2 * k] = static_cast<Id>(edge.source);
    to.out[2 * k + 1] = static_cast<Id>(edge.target);
    if (to.weights != nullptr) to.weights[k] = graph500_weight(edge.weight_word);
  }
}

/// The states of edges first ... first + lanes - 1; moves `state` to edge first + lanes.
HWY_INLINE MrgState lane_states(const Graph500Plan& plan, RecurrenceState& state) {
  const MrgLanes d;
  HWY_ALIGN std::uint64_t words[5][hn::MaxLanes(MrgLanes())];
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) {
    for (std::size_t i = 0; i < 5; ++i) words[i][k] = state.words[i];
    state = plan.edge_jumps[0].from(state);
  }
  return {hn::Load(d, words[0]), hn::Load(d, words[1]), hn::Load(d, words[2]), hn::Load(d, words[3]),
          hn::Load(d, words[4])};
}

#endif

template <class Id>
std::size_t fill_whole_lanes(const Graph500Plan& plan, RecurrenceState& state, std::uint64_t first, Id* out,
                             float* weights, std::size_t count) {
  std::size_t done = 0;
#if HWY_TARGET != HWY_SCALAR
  const std::size_t lanes = hn::Lanes(MrgLanes());
  if (count < 2 * lanes) return 0;
  // The number of lanes is a power of two.
  std::size_t doublings = 1;
  while (std::size_t{1} << doublings < 2 * lanes) ++doublings;
  const RecurrenceJump& jump = plan.edge_jumps[doublings];
  MrgState start_a = lane_states(plan, state);
  MrgState start_b = lane_states(plan, state);
  for (; done + 2 * lanes <= count; done += 2 * lanes) {
    MrgState state_a = start_a;
    MrgState state_b = start_b;
    const auto zero = hn::Zero(MrgLanes());
    EdgeLanes a{zero, zero, constant(recurrence_modulus)};
    EdgeLanes b{zero, zero, constant(recurrence_modulus)};
    for (int level = 0; level < plan.scale; ++level) {
      draw_level(state_a, a);
      draw_level(state_b, b);
    }
    float* const to = weights != nullptr ? weights + done : nullptr;
    store_edges(plan, first + done, state_a, a, EdgeTarget<Id>{out + 2 * done, to});
    store_edges(plan, first + done + lanes, state_b, b,
                EdgeTarget<Id>{out + 2 * (done + lanes), to != nullptr ? to + lanes : nullptr});
    jump_lanes(jump, start_a);
    jump_lanes(jump, start_b);
  }
  state = start_of_edge(plan, first + done);
#else
  static_cast<void>(plan), static_cast<void>(state), static_cast<void>(first), static_cast<void>(out);
  static_cast<void>(weights), static_cast<void>(count);
#endif
  return done;
}

template <class Id>
void graph500_kernel(const Graph500Plan& plan, std::uint64_t first, Id* out, float* weights,
                     std::size_t count) {
  if (count == 0) return;
  RecurrenceState state = start_of_edge(plan, first);
  for (std::size_t i = fill_whole_lanes(plan, state, first, out, weights, count); i < count; ++i) {
    const Graph500Edge edge = graph500_edge(plan, state);
    out[2 * i] = static_cast<Id>(edge.source);
    out[2 * i + 1] = static_cast<Id>(edge.target);
    if (weights != nullptr) weights[i] = graph500_weight(edge.weight_word);
    state = plan.edge_jumps[0].from(state);
  }
}

void graph500_kernel_32(const Graph500Plan& plan, std::uint64_t first_edge, std::uint32_t* out,
                        float* weights, std::size_t count) {
  graph500_kernel(plan, first_edge, out, weights, count);
}

void graph500_kernel_64(const Graph500Plan& plan, std::uint64_t first_edge, std::uint64_t* out,
                        float* weights, std::size_t count) {
  graph500_kernel(plan, first_edge, out, weights, count);
}

}  // namespace emgraph::graph::generate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::generate {

HWY_EXPORT(graph500_kernel_32);
HWY_EXPORT(graph500_kernel_64);

void fill_graph500(const Graph500Plan& plan, std::uint64_t first_edge, std::uint32_t* out, float* weights,
                   std::size_t count) {
  HWY_DYNAMIC_DISPATCH(graph500_kernel_32)(plan, first_edge, out, weights, count);
}

void fill_graph500(const Graph500Plan& plan, std::uint64_t first_edge, std::uint64_t* out, float* weights,
                   std::size_t count) {
  HWY_DYNAMIC_DISPATCH(graph500_kernel_64)(plan, first_edge, out, weights, count);
}

}  // namespace emgraph::graph::generate
#endif
