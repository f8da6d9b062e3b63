// SPDX-License-Identifier: MIT
// counter_hash.hpp in vectors: included once per instruction set by the kernels (Highway's "-inl"
// convention).
#if defined(EMGRAPH_GRAPH_GENERATE_COUNTER_HASH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef EMGRAPH_GRAPH_GENERATE_COUNTER_HASH_INL_HPP
#undef EMGRAPH_GRAPH_GENERATE_COUNTER_HASH_INL_HPP
#else
#define EMGRAPH_GRAPH_GENERATE_COUNTER_HASH_INL_HPP
#endif

#include <hwy/highway.h>

#include "graph/generate/counter_hash.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::generate::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// core::mix_word of every lane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V mix(D d, V x) {
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<30>(x)), hn::Set(d, core::mix_multiplier_1));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<27>(x)), hn::Set(d, core::mix_multiplier_2));
  return hn::Xor(x, hn::ShiftRight<31>(x));
}

/// key + (first + lane) * golden_increment in every lane: what counter_word mixes.
template <class D>
HWY_INLINE hn::Vec<D> first_counters(D d, std::uint64_t key, std::uint64_t first) {
  const auto lane = hn::Iota(d, 0);
  return hn::Add(hn::Mul(lane, hn::Set(d, golden_increment)), hn::Set(d, key + first * golden_increment));
}

#endif

}  // namespace emgraph::graph::generate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
