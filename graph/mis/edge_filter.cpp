// SPDX-License-Identifier: MIT
// The filter for edges without attachments, in 64-bit vector lanes: compare, compress, gather the words of
// the bits. An edge of 32-bit ids takes one lane, an edge of 64-bit ids two. Measured: ns an edge, edge by
// edge against vectors: 2.6 MB of bits, a first pass over a tenth of the nodes 5.0 and 0.6, a last one over
// nine tenths with 60 % excluded 5.2 and 1.3; 54 MB 7.1 and 2.9, 537 MB 8.1 and 3.6 (EPYC with AVX-512, one
// core, other work on the machine, throw-away program).
#include "graph/mis/edge_filter.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/mis/edge_filter.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "core/base/compress_inl.hpp"
#include "core/base/prefetch.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::mis::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using core::HWY_NAMESPACE::compress_store;

#if HWY_TARGET != HWY_SCALAR

/// Distance of prefetches, for bits that do not fit into the cache.
constexpr std::size_t ahead = 64;
using D64 = hn::ScalableTag<std::uint64_t>;
using Lanes = std::array<std::uint64_t, filter_step + ahead + 64>;
constexpr std::uint64_t lower_half = 0xffffffff;

/// The lanes whose bit is 0.
template <class V>
auto is_clear(V node, const std::uint64_t* words) {
  const D64 d64;
  const hn::RebindToSigned<D64> index;
  const auto word = hn::GatherIndex(d64, words, hn::BitCast(index, hn::ShiftRight<6>(node)));
  return hn::Eq(hn::And(hn::Shr(word, hn::And(node, hn::Set(d64, 63))), hn::Set(d64, 1)), hn::Zero(d64));
}

/// Keeps those of the first `count` lanes of `from` whose bit is 0: the bit of the lower half, or of the
/// upper half. Reads lanes behind them.
template <bool upper, bool prefetched>
std::size_t keep_clear(Lanes& from, std::size_t count, const std::uint64_t* words, std::uint64_t* to) {
  const D64 d64;
  const std::size_t lanes = hn::Lanes(d64);
  const auto node_of = [&](auto edge) {
    return upper ? hn::ShiftRight<32>(edge) : hn::And(edge, hn::Set(d64, lower_half));
  };
  std::fill_n(from.data() + count, ahead + lanes, std::uint64_t{0});
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    if constexpr (prefetched) {
      for (std::size_t j = i + ahead; j < i + ahead + lanes; ++j) {
        core::prefetch(words + ((upper ? from[j] >> 32 : from[j] & lower_half) >> 6));
      }
    }
    const auto edge = hn::LoadU(d64, from.data() + i);
    const auto keep = hn::And(is_clear(node_of(edge), words), hn::FirstN(d64, count - i));
    kept += compress_store(edge, keep, d64, to + kept);
  }
  return kept;
}

template <bool prefetched>
std::size_t filter(std::span<const Edge32> batch, SmallerEnds<std::uint32_t> range,
                   const std::uint64_t* words, std::uint64_t* kept) {
  const D64 d64;
  const hn::Repartition<std::uint32_t, D64> d32;
  const std::size_t lanes = hn::Lanes(d64);
  const auto first = hn::Set(d64, range.first);
  const auto width = hn::Set(d64, range.width);
  Lanes in_range;
  std::uint64_t* const inside_range = words == nullptr ? kept : in_range.data();
  std::size_t here = 0;
  std::size_t i = 0;
  for (; i + lanes <= batch.size(); i += lanes) {
    const auto ends = hn::LoadU(d32, &batch[i].source);
    const auto swapped = hn::Reverse2(d32, ends);
    const auto edge = hn::BitCast(d64, hn::OddEven(hn::Max(ends, swapped), hn::Min(ends, swapped)));
    const auto low = hn::And(edge, hn::Set(d64, lower_half));
    // For ids below the range the difference wraps around to a huge value.
    const auto drop = hn::Or(hn::Gt(hn::Sub(low, first), width), hn::Eq(low, hn::ShiftRight<32>(edge)));
    here += compress_store(edge, hn::Not(drop), d64, inside_range + here);
  }
  for (; i < batch.size(); ++i) {
    const Edge32 edge = low_high(batch[i].source, batch[i].target);
    inside_range[here] = std::uint64_t{edge.target} << 32 | edge.source;
    const bool inside = edge.source - range.first <= range.width;
    here += inside & (edge.source != edge.target) ? 1 : 0;
  }
  if (words == nullptr) return here;
  Lanes undecided;
  const std::size_t left = keep_clear<false, prefetched>(in_range, here, words, undecided.data());
  return keep_clear<true, prefetched>(undecided, left, words, kept);
}

/// The same in place for two arrays with one end of an edge each, by the bit of the `tested` end.
template <bool prefetched>
std::size_t keep_clear_pairs(Lanes& tested, Lanes& other, std::size_t count, const std::uint64_t* words) {
  const D64 d64;
  const std::size_t lanes = hn::Lanes(d64);
  std::fill_n(tested.data() + count, ahead + lanes, std::uint64_t{0});
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    if constexpr (prefetched) {
      for (std::size_t j = i + ahead; j < i + ahead + lanes; ++j) core::prefetch(words + (tested[j] >> 6));
    }
    const auto node = hn::LoadU(d64, tested.data() + i);
    const auto beside = hn::LoadU(d64, other.data() + i);
    const auto keep = hn::And(is_clear(node, words), hn::FirstN(d64, count - i));
    compress_store(node, keep, d64, tested.data() + kept);
    kept += compress_store(beside, keep, d64, other.data() + kept);
  }
  return kept;
}

template <bool prefetched>
std::size_t filter_wide(std::span<const Edge64> batch, SmallerEnds<std::uint64_t> range,
                        const std::uint64_t* words, Edge64* kept) {
  const D64 d64;
  const std::size_t lanes = hn::Lanes(d64);
  const auto first = hn::Set(d64, range.first);
  const auto width = hn::Set(d64, range.width);
  Lanes lows;
  Lanes highs;
  std::size_t here = 0;
  std::size_t i = 0;
  for (; i + lanes <= batch.size(); i += lanes) {
    hn::Vec<D64> source;
    hn::Vec<D64> target;
    hn::LoadInterleaved2(d64, &batch[i].source, source, target);
    const auto low = hn::Min(source, target);
    const auto high = hn::Max(source, target);
    const auto keep = hn::Not(hn::Or(hn::Gt(hn::Sub(low, first), width), hn::Eq(low, high)));
    compress_store(low, keep, d64, lows.data() + here);
    here += compress_store(high, keep, d64, highs.data() + here);
  }
  for (; i < batch.size(); ++i) {
    const Edge64 edge = low_high(batch[i].source, batch[i].target);
    lows[here] = edge.source;
    highs[here] = edge.target;
    const bool inside = edge.source - range.first <= range.width;
    here += inside & (edge.source != edge.target) ? 1 : 0;
  }
  if (words != nullptr) {
    here = keep_clear_pairs<prefetched>(lows, highs, here, words);
    here = keep_clear_pairs<prefetched>(highs, lows, here, words);
  }
  for (std::size_t k = 0; k < here; ++k) kept[k] = {lows[k], highs[k]};
  return here;
}

#endif

bool is_large(const NodeBits* excluded) {
  return excluded != nullptr && excluded->words().size_bytes() > cached_bits_bytes;
}

std::size_t small_kernel(std::span<const Edge32> batch, SmallerEnds<std::uint32_t> range,
                         const NodeBits* excluded, FilteredEdges<std::uint32_t>& kept) {
#if HWY_TARGET == HWY_SCALAR
  return filter_edge_by_edge(batch, range, excluded, kept);
#else
  // An edge is one word, its source in the lower half.
  static_assert(sizeof(Edge32) == sizeof(std::uint64_t) && std::endian::native == std::endian::little);
  const std::uint64_t* const words = excluded == nullptr ? nullptr : excluded->words().data();
  const auto to = reinterpret_cast<std::uint64_t*>(kept.data());
  return is_large(excluded) ? filter<true>(batch, range, words, to) : filter<false>(batch, range, words, to);
#endif
}

std::size_t wide_kernel(std::span<const Edge64> batch, SmallerEnds<std::uint64_t> range,
                        const NodeBits* excluded, FilteredEdges<std::uint64_t>& kept) {
#if HWY_TARGET == HWY_SCALAR
  return filter_edge_by_edge(batch, range, excluded, kept);
#else
  const std::uint64_t* const words = excluded == nullptr ? nullptr : excluded->words().data();
  return is_large(excluded) ? filter_wide<true>(batch, range, words, kept.data())
                            : filter_wide<false>(batch, range, words, kept.data());
#endif
}

}  // namespace emgraph::graph::mis::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::mis {

HWY_EXPORT(small_kernel);
HWY_EXPORT(wide_kernel);

std::size_t filter_edges(std::span<const Edge32> batch, SmallerEnds<std::uint32_t> range,
                         const NodeBits* excluded, FilteredEdges<std::uint32_t>& kept) {
  return HWY_DYNAMIC_DISPATCH(small_kernel)(batch, range, excluded, kept);
}

std::size_t filter_edges(std::span<const Edge64> batch, SmallerEnds<std::uint64_t> range,
                         const NodeBits* excluded, FilteredEdges<std::uint64_t>& kept) {
  return HWY_DYNAMIC_DISPATCH(wide_kernel)(batch, range, excluded, kept);
}

// Edge by edge: gathers in vectors are no atomic loads.
std::size_t keep_undecided(std::span<std::uint64_t> keys, const prepare::EdgeKeys<std::uint64_t>& edge_keys,
                           const NodeBits& excluded) {
  constexpr std::size_t ahead = 16;  // keys between prefetch and test
  std::size_t undecided = 0;
  for (const std::uint64_t key : keys) {
    keys[undecided] = key;
    undecided += excluded.test_shared(edge_keys.first(key)) ? 0 : 1;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < undecided; ++i) {
    excluded.prefetch(edge_keys.second(keys[std::min(i + ahead, undecided - 1)]));
    const std::uint64_t key = keys[i];
    keys[kept] = key;
    kept += excluded.test_shared(edge_keys.second(key)) ? 0 : 1;
  }
  return kept;
}

}  // namespace emgraph::graph::mis
#endif
