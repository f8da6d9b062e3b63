// SPDX-License-Identifier: MIT
// The filter of 32-bit edges, one 64-bit lane each: compare, compress, gather the words of the bits.
// Measured: ns an edge, edge by edge against vectors: 2.6 MB of bits, a first pass over a tenth of the nodes
// 5.0 and 0.6, a last one over nine tenths with 60 % excluded 5.2 and 1.3; 54 MB 7.1 and 2.9, 537 MB 8.1 and
// 3.6 (EPYC with AVX-512, one core, other work on the machine, throw-away program).
#include "graph/mis/edge_filter.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/mis/edge_filter.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::mis::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// Loads ahead of their use, of bits beyond the cache.
constexpr std::size_t ahead = 64;
using D64 = hn::ScalableTag<std::uint64_t>;
using Lanes = std::array<std::uint64_t, filter_step + ahead + 64>;
constexpr std::uint64_t lower_half = 0xffffffff;

/// Keeps those of the first `count` lanes of `from` whose bit is 0: that of the lower half, or of the upper
/// half. Lanes behind them are read, too.
template <bool upper, bool prefetched>
std::size_t keep_clear(Lanes& from, std::size_t count, const std::uint64_t* words, std::uint64_t* to) {
  const D64 d64;
  const hn::RebindToSigned<D64> index;
  const std::size_t lanes = hn::Lanes(d64);
  const auto node_of = [&](auto edge) {
    return upper ? hn::ShiftRight<32>(edge) : hn::And(edge, hn::Set(d64, lower_half));
  };
  std::fill_n(from.data() + count, ahead + lanes, std::uint64_t{0});
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    if constexpr (prefetched) {
      for (std::size_t j = i + ahead; j < i + ahead + lanes; ++j) {
        __builtin_prefetch(words + ((upper ? from[j] >> 32 : from[j] & lower_half) >> 6));
      }
    }
    const auto edge = hn::LoadU(d64, from.data() + i);
    const auto node = node_of(edge);
    const auto word = hn::GatherIndex(d64, words, hn::BitCast(index, hn::ShiftRight<6>(node)));
    const auto bit = hn::And(hn::Shr(word, hn::And(node, hn::Set(d64, 63))), hn::Set(d64, 1));
    const auto keep = hn::And(hn::Eq(bit, hn::Zero(d64)), hn::FirstN(d64, count - i));
    kept += hn::CompressStore(edge, keep, d64, to + kept);
  }
  return kept;
}

template <bool prefetched>
std::size_t filter(std::span<const Record<std::uint32_t, 0>> batch, SmallerEnds<std::uint32_t> range,
                   const std::uint64_t* words, std::uint64_t* kept) {
  const D64 d64;
  const hn::Repartition<std::uint32_t, D64> d32;
  const std::size_t lanes = hn::Lanes(d64);
  const auto first = hn::Set(d64, range.first);
  const auto width = hn::Set(d64, range.width);
  Lanes in_range;
  std::size_t here = 0;
  std::size_t i = 0;
  for (; i + lanes <= batch.size(); i += lanes) {
    const auto ends = hn::LoadU(d32, &batch[i].source);
    const auto swapped = hn::Reverse2(d32, ends);
    const auto edge = hn::BitCast(d64, hn::OddEven(hn::Max(ends, swapped), hn::Min(ends, swapped)));
    const auto low = hn::And(edge, hn::Set(d64, lower_half));
    // Below the range the difference wraps around to a huge one.
    const auto drop = hn::Or(hn::Gt(hn::Sub(low, first), width), hn::Eq(low, hn::ShiftRight<32>(edge)));
    here += hn::CompressStore(edge, hn::Not(drop), d64, in_range.data() + here);
  }
  for (; i < batch.size(); ++i) {
    const Edge32 edge = low_high(batch[i].source, batch[i].target);
    in_range[here] = std::uint64_t{edge.target} << 32 | edge.source;
    const bool inside = edge.source - range.first <= range.width;
    here += inside & (edge.source != edge.target) ? 1 : 0;
  }
  Lanes undecided;
  const std::size_t left = keep_clear<false, prefetched>(in_range, here, words, undecided.data());
  return keep_clear<true, prefetched>(undecided, left, words, kept);
}

#endif

std::size_t filter_kernel(std::span<const Record<std::uint32_t, 0>> batch, SmallerEnds<std::uint32_t> range,
                          const NodeBits& excluded, FilteredEdges<std::uint32_t>& kept) {
#if HWY_TARGET == HWY_SCALAR
  return filter_edge_by_edge(batch, range, excluded, kept);
#else
  // An edge is one word, its source in the lower half.
  static_assert(sizeof(Edge32) == sizeof(std::uint64_t) && std::endian::native == std::endian::little);
  const std::uint64_t* const words = excluded.words().data();
  const auto to = reinterpret_cast<std::uint64_t*>(kept.data());
  return excluded.words().size_bytes() > cached_bits_bytes ? filter<true>(batch, range, words, to)
                                                           : filter<false>(batch, range, words, to);
#endif
}

}  // namespace emgraph::graph::mis::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::mis {

HWY_EXPORT(filter_kernel);

std::size_t filter_small_edges(std::span<const Record<std::uint32_t, 0>> batch,
                               SmallerEnds<std::uint32_t> range, const NodeBits& excluded,
                               FilteredEdges<std::uint32_t>& kept) {
  return HWY_DYNAMIC_DISPATCH(filter_kernel)(batch, range, excluded, kept);
}

}  // namespace emgraph::graph::mis
#endif
