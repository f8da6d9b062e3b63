// SPDX-License-Identifier: MIT
// Vector kernels of random words and of uniform random edges, one 64-bit lane each. For edges: hash, two
// 32x32-bit multiplications, blend, store. Measured: into cache, M edges/s per core: AVX-512 7,800, AVX2
// 1,800, SSE4 880, scalar 960 (EPYC, 32-bit ids, tests/bench/generate.bench.cpp); a 64-bit product costs AVX2
// and SSE three 32-bit ones.
#include "graph/generate/random_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/generate/random_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "graph/generate/counter_hash_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::generate::HWY_NAMESPACE {

void small_random_kernel(std::uint64_t key, std::uint32_t nodes, std::uint64_t first_edge, std::uint32_t* out,
                         std::size_t count) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint64_t> d64;
  const hn::Repartition<std::uint32_t, decltype(d64)> d32;
  const std::size_t lanes = hn::Lanes(d64);
  const auto bound = hn::Set(d32, nodes);
  const auto high_half = hn::Set(d64, 0xffffffff00000000u);
  const auto step = hn::Set(d64, lanes * golden_increment);
  auto counter = first_counters(d64, key, first_edge);
  for (; i + lanes <= count; i += lanes) {
    const auto word = mix(d64, counter);
    counter = hn::Add(counter, step);
    const auto low = hn::MulEven(hn::BitCast(d32, word), bound);
    const auto high = hn::MulEven(hn::BitCast(d32, hn::ShiftRight<32>(word)), bound);
    const auto edge = hn::Or(hn::ShiftRight<32>(low), hn::And(high, high_half));
    hn::StoreU(hn::BitCast(d32, edge), d32, out + 2 * i);
  }
#endif
  for (; i < count; ++i) {
    const SmallRandomEdge edge = small_random_edge(key, nodes, first_edge + i);
    out[2 * i] = edge.source;
    out[2 * i + 1] = edge.target;
  }
}

void words_kernel(std::uint64_t key, std::uint64_t first, std::uint64_t* out, std::size_t count) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto step = hn::Set(d, lanes * golden_increment);
  auto counter = first_counters(d, key, first);
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(mix(d, counter), d, out + i);
    counter = hn::Add(counter, step);
  }
#endif
  for (; i < count; ++i) out[i] = counter_word(key, first + i);
}

}  // namespace emgraph::graph::generate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::generate {

HWY_EXPORT(small_random_kernel);
HWY_EXPORT(words_kernel);

void fill_small_random(std::uint64_t key, std::uint32_t nodes, std::uint64_t first_edge, std::uint32_t* out,
                       std::size_t count) {
  HWY_DYNAMIC_DISPATCH(small_random_kernel)(key, nodes, first_edge, out, count);
}

void fill_words(std::uint64_t key, std::uint64_t first, std::uint64_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(words_kernel)(key, first, out, count);
}

}  // namespace emgraph::graph::generate
#endif
