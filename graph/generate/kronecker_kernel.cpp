// SPDX-License-Identifier: MIT
// Vector kernels for Kronecker edges. Each edge has a 64-bit lane; its four 16-bit lanes draw four levels at
// once.
//
// A group of four levels costs one hash of the 64-bit lane and two 16-bit comparisons. Each 16-bit lane
// shifts its bit into an accumulator. The four fields are combined once per edge. Ids of 32 bits are
// scrambled in 32-bit lanes, both ends at once. Measured: scale 24, M edges/s a core: AVX-512 578, AVX2 198,
// SSE4 98, scalar 33 (EPYC, 32-bit ids, tests/bench/generate.bench.cpp).
#include "graph/generate/kronecker_plan.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/generate/kronecker_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "graph/generate/counter_hash_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::generate::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

using Lanes64 = hn::ScalableTag<std::uint64_t>;
using Words = hn::Vec<Lanes64>;

/// Unscrambled ends of one edge per lane.
struct Ends {
  Words source;
  Words target;
};

HWY_INLINE Words join_fields(Lanes64 d64, const KroneckerPlan& plan, Words fields) {
  Words id = hn::And(fields, hn::Set(d64, plan.field_mask[0]));
  for (std::size_t p = 1; p < 4; ++p) {
    const int shift = 16 * static_cast<int>(p) - plan.field_offset[p];
    id = hn::Or(id, hn::ShiftRightSame(hn::And(fields, hn::Set(d64, plan.field_mask[p])), shift));
  }
  return id;
}

/// `counter` is edge index * golden_increment.
HWY_INLINE Ends unscrambled_ends(Lanes64 d64, const KroneckerPlan& plan, Words counter) {
  const hn::Repartition<std::int16_t, Lanes64> d16;
  const auto source_above = hn::Set(d16, kronecker_source_above);
  const auto target_shift = hn::Set(d16, kronecker_target_shift);
  const auto target_above = hn::Set(d16, kronecker_target_above);
  auto source = hn::Zero(d16);
  auto target = hn::Zero(d16);
  // Starts with the last group. The bits of its surplus levels end up above the field and are masked off.
  for (int g = plan.groups - 1; g >= 0; --g) {
    const auto key = hn::Set(d64, plan.level_keys[static_cast<std::size_t>(g)]);
    const auto draw = hn::BitCast(d16, mix(d64, hn::Add(counter, key)));
    // A true lane is -1, so doubling and subtracting it shifts in a one.
    const auto source_bit = hn::VecFromMask(d16, hn::Gt(draw, source_above));
    const auto target_bit = hn::VecFromMask(d16, hn::Gt(hn::Add(draw, target_shift), target_above));
    source = hn::Sub(hn::Add(source, source), source_bit);
    target = hn::Sub(hn::Add(target, target), target_bit);
  }
  return {join_fields(d64, plan, hn::BitCast(d64, source)), join_fields(d64, plan, hn::BitCast(d64, target))};
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V scramble_lanes(D d, const KroneckerPlan& plan, V id) {
  using T = hn::TFromD<D>;
  const V mask = hn::Set(d, static_cast<T>(plan.mask));
  id = hn::Add(id, hn::Set(d, static_cast<T>(plan.add)));
  for (const std::uint64_t multiplier : plan.multipliers) {
    id = hn::And(hn::Mul(id, hn::Set(d, static_cast<T>(multiplier))), mask);
    id = hn::Xor(id, hn::ShiftRightSame(id, plan.xor_shift));
  }
  return id;
}

#endif

template <class Id>
std::size_t fill_whole_vectors(const KroneckerPlan& plan, std::uint64_t first_edge, Id* out,
                               std::size_t count) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Lanes64 d64;
  const hn::Repartition<std::uint32_t, Lanes64> d32;
  const std::size_t lanes = hn::Lanes(d64);
  const auto step = hn::Set(d64, lanes * golden_increment);
  auto counter = first_counters(d64, 0, first_edge);
  for (; i + lanes <= count; i += lanes) {
    const Ends ends = unscrambled_ends(d64, plan, counter);
    counter = hn::Add(counter, step);
    if constexpr (sizeof(Id) == 4) {
      const auto edge = hn::BitCast(d32, hn::Or(ends.source, hn::ShiftLeft<32>(ends.target)));
      hn::StoreU(scramble_lanes(d32, plan, edge), d32, out + 2 * i);
    } else {
      hn::StoreInterleaved2(scramble_lanes(d64, plan, ends.source), scramble_lanes(d64, plan, ends.target),
                            d64, out + 2 * i);
    }
  }
#else
  static_cast<void>(plan), static_cast<void>(first_edge), static_cast<void>(out), static_cast<void>(count);
#endif
  return i;
}

template <class Id>
void kronecker_kernel(const KroneckerPlan& plan, std::uint64_t first_edge, Id* out, std::size_t count) {
  for (std::size_t i = fill_whole_vectors(plan, first_edge, out, count); i < count; ++i) {
    const KroneckerEdge edge = unscrambled_kronecker_edge(plan, first_edge + i);
    out[2 * i] = static_cast<Id>(scramble(plan, edge.source));
    out[2 * i + 1] = static_cast<Id>(scramble(plan, edge.target));
  }
}

void kronecker_kernel_32(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint32_t* out,
                         std::size_t count) {
  kronecker_kernel(plan, first_edge, out, count);
}

void kronecker_kernel_64(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint64_t* out,
                         std::size_t count) {
  kronecker_kernel(plan, first_edge, out, count);
}

}  // namespace emgraph::graph::generate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::generate {

HWY_EXPORT(kronecker_kernel_32);
HWY_EXPORT(kronecker_kernel_64);

void fill_kronecker(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint32_t* out,
                    std::size_t count) {
  HWY_DYNAMIC_DISPATCH(kronecker_kernel_32)(plan, first_edge, out, count);
}

void fill_kronecker(const KroneckerPlan& plan, std::uint64_t first_edge, std::uint64_t* out,
                    std::size_t count) {
  HWY_DYNAMIC_DISPATCH(kronecker_kernel_64)(plan, first_edge, out, count);
}

}  // namespace emgraph::graph::generate
#endif
