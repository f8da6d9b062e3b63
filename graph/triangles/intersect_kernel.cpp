// SPDX-License-Identifier: MIT
// Intersections of sorted lists, each by the cheapest of four methods.
//
// Problem: for a list L of u, and every v in L that the chunk has: which w < v of L are in the list of v?
// Method, by v and the place i of v in L (so that i candidates w stand before it):
//   hub, i small:       look up the i candidates as bits in the row of v, several at once by a gather;
//   hub, i large:       mark L as bits; the row of v AND the marks, 512 bits a step, population count;
//   others, i or the list of v short: compare all with all, a vector of one against each of the other;
//   others, both long:  look up the list of v in the marks, by a gather; merge where there are no marks.
// Ranks ascend as degrees descend. Hence the hubs, which most edges lead to, have short rows and share the
// front of the marks, which stays in the cache.
// Measured: Kronecker graph of scale 22, 64.2 M simple edges, 2 threads of an EPYC with AVX-512. With 32,768
// hubs: 40.5 M pairs by rows (521 M lines), 7.9 M by looking up 96 M candidates, 10.5 M by looking up 2,082 M
// members of lists, 2.8 M by comparing. Memory latency is the bound: with the lists of the next v prefetched
// whole (and the population count instruction) 5.0 s instead of 10.7 (loaded machine), 2.5 s alone.
// Sources: orientation by degree, Chiba and Nishizeki 1985, doi 10.1137/0214017; Schank and Wagner 2005,
// doi 10.1007/11427186_54; bit rows for the dense part as in Alon, Yuster, Zwick 1997, doi
// 10.1007/BF02523189.
//
// I/O: none. Memory: the caller's. Threads: any number, each with its own scratch space. Throws: exceptions
// of the sink.
#include "graph/triangles/intersect_kernel.hpp"

#include <algorithm>
#include <bit>

#define HWY_WANT_AVX3_DL 1  // this target has a population count
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/triangles/intersect_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target first: it includes this file once per instruction set.
#include <hwy/highway.h>

#include "core/base/compress_inl.hpp"
#include "core/base/prefetch.hpp"
#include "graph/triangles/lists.hpp"

HWY_BEFORE_NAMESPACE();
namespace emgraph::graph::triangles::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using core::HWY_NAMESPACE::compress_store;

/// Counts, and with kCollect collects, those of `count` ranks whose bit is set. Reads list_slack further.
template <bool kCollect>
HWY_INLINE std::size_t look_up(const std::uint64_t* bits, const Rank* ranks, std::size_t count, Rank* out) {
  const hn::ScalableTag<Rank> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, 1);
  const auto low = hn::Set(d, 31);
  const auto* const words = reinterpret_cast<const Rank*>(bits);
  auto sum = hn::Zero(d);
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto all = hn::LoadU(d, ranks + i);
    const auto valid = hn::FirstN(d, std::min(lanes, count - i));
    const auto rank = hn::IfThenElseZero(valid, all);
    const auto word = hn::GatherIndex(d, words, hn::BitCast(signed_d, hn::ShiftRight<5>(rank)));
    const auto bit = hn::IfThenElseZero(valid, hn::And(hn::Shr(word, hn::And(rank, low)), one));
    if constexpr (kCollect) {
      found += compress_store(rank, hn::Eq(bit, one), d, out + found);
    } else {
      sum = hn::Add(sum, bit);
    }
  }
  if constexpr (kCollect) return found;
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

/// Counts or collects the common bits of the first `lines` lines of two rows.
template <bool kCollect>
HWY_INLINE std::size_t intersect_rows(const std::uint64_t* row, const std::uint64_t* bits, std::size_t lines,
                                      Rank* out) {
  const hn::CappedTag<std::uint64_t, HubRows::line_words> d;
  const std::size_t words = lines * HubRows::line_words;
  if constexpr (kCollect) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < words; ++i) {
      for (std::uint64_t word = row[i] & bits[i]; word != 0; word &= word - 1) {
        out[found++] = static_cast<Rank>(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
    return found;
  } else {
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < words; i += hn::Lanes(d)) {
      sum = hn::Add(sum, hn::PopulationCount(hn::And(hn::LoadU(d, row + i), hn::LoadU(d, bits + i))));
    }
    return static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
}

/// Counts or collects the ranks of `many` that are in `few`; reads list_slack ranks after `many`.
template <bool kCollect>
HWY_INLINE std::size_t compare_all(const Rank* many, std::size_t many_count, const Rank* few,
                                   std::size_t few_count, Rank* out) {
  const hn::ScalableTag<Rank> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  for (std::size_t i = 0; i < many_count; i += lanes) {
    const auto ranks = hn::LoadU(d, many + i);
    auto equal = hn::Eq(ranks, hn::Set(d, few[0]));
    for (std::size_t j = 1; j < few_count; ++j) equal = hn::Or(equal, hn::Eq(ranks, hn::Set(d, few[j])));
    equal = hn::And(equal, hn::FirstN(d, std::min(lanes, many_count - i)));
    if constexpr (kCollect) {
      found += compress_store(ranks, equal, d, out + found);
    } else {
      found += hn::CountTrue(d, equal);
    }
  }
  return found;
}

template <bool kCollect>
std::size_t merge(std::span<const Rank> a, std::span<const Rank> b, Rank* out) {
  std::size_t found = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Rank left = a[i];
    const Rank right = b[j];
    if constexpr (kCollect) out[found] = left;
    found += left == right ? 1 : 0;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
  }
  return found;
}

template <bool kCollect>
std::uint64_t intersect(const ChunkView& chunk, const ListBatch& batch, const IntersectScratch& scratch,
                        TriangleSink* sink, unsigned thread) {
  // Looking up one candidate costs about as much as a line of a row.
  constexpr std::size_t look_ups_per_line = 1;
  constexpr std::size_t few_candidates = 12;
  constexpr std::size_t ahead_offsets = 8;
  constexpr std::size_t ahead_lists = 4;
  constexpr std::size_t ahead_of_list = 3;
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<Rank>());
  const Rank first_plain = std::max(chunk.first, chunk.hubs);
  std::uint64_t total = 0;
  for (std::size_t k = 0; k < batch.lists; ++k) {
    if (k + ahead_offsets < batch.lists) {
      for (const Rank v : batch.list(k + ahead_offsets)) {
        if (v >= first_plain && v < chunk.end) core::prefetch(chunk.offsets + (v - chunk.first));
      }
    }
    if (k + ahead_lists < batch.lists && batch.list(k + ahead_lists).size() <= few_candidates) {
      for (const Rank v : batch.list(k + ahead_lists)) {
        if (v >= first_plain && v < chunk.end) {
          core::prefetch(chunk.targets + chunk.offsets[v - chunk.first]);
        }
      }
    }
    const std::span<const Rank> list = batch.list(k);
    if (list.size() < 2 || list.back() < chunk.first || list[0] >= chunk.end) continue;
    std::size_t marked = 0;  // marked ranks of the list
    const auto mark = [&] {
      if (marked > 0) return;
      for (; marked < list.size() && list[marked] < scratch.marked; ++marked) {
        scratch.bits[list[marked] / 64] |= std::uint64_t{1} << (list[marked] % 64);
      }
    };
    std::size_t i = 1;
    if (list[0] < chunk.first) {
      i = std::max<std::size_t>(
          1,
          static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), chunk.first) - list.begin()));
    }
    for (; i < list.size() && list[i] < chunk.end; ++i) {
      const Rank v = list[i];
      std::size_t found = 0;
      if (v < chunk.hubs) {
        const std::uint64_t* const row = chunk.hub_rows + HubRows::first_line(v) * HubRows::line_words;
        const std::size_t lines = HubRows::lines(v);
        if (i <= lines * look_ups_per_line) {
          found = look_up<kCollect>(row, list.data(), i, scratch.thirds);
        } else {
          mark();
          found = intersect_rows<kCollect>(row, scratch.bits, lines, scratch.thirds);
        }
      } else {
        if (i + ahead_of_list < list.size() && list[i + ahead_of_list] < chunk.end) {
          const std::uint32_t* const ahead = chunk.offsets + (list[i + ahead_of_list] - chunk.first);
          for (std::size_t at = ahead[0]; at < ahead[1]; at += 16) core::prefetch(chunk.targets + at);
        }
        const std::uint32_t begin = chunk.offsets[v - chunk.first];
        const std::size_t size = chunk.offsets[v - chunk.first + 1] - begin;
        const Rank* const other = chunk.targets + begin;
        if (size == 0) continue;
        if (i <= few_candidates) {
          found = compare_all<kCollect>(other, size, list.data(), i, scratch.thirds);
        } else if (size <= lanes / 2) {
          found = compare_all<kCollect>(list.data(), i, other, size, scratch.thirds);
        } else if (v <= scratch.marked) {
          mark();
          found = look_up<kCollect>(scratch.bits, other, size, scratch.thirds);
        } else {
          found = merge<kCollect>(list.first(i), {other, size}, scratch.thirds);
        }
      }
      if constexpr (kCollect) {
        if (found > 0) sink->take(thread, batch.source(k), v, {scratch.thirds, found});
      }
      total += found;
    }
    for (std::size_t j = 0; j < marked; ++j) scratch.bits[list[j] / 64] = 0;
  }
  return total;
}

std::uint64_t count_lists(const ChunkView& chunk, const ListBatch& batch, const IntersectScratch& scratch) {
  return intersect<false>(chunk, batch, scratch, nullptr, 0);
}
std::uint64_t collect_lists(const ChunkView& chunk, const ListBatch& batch, const IntersectScratch& scratch,
                            TriangleSink* sink, unsigned thread) {
  return intersect<true>(chunk, batch, scratch, sink, thread);
}

}  // namespace emgraph::graph::triangles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace emgraph::graph::triangles {

HWY_EXPORT(count_lists);
HWY_EXPORT(collect_lists);

std::uint64_t count_triangles(const ChunkView& chunk, const ListBatch& batch,
                              const IntersectScratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(count_lists)(chunk, batch, scratch);
}

std::uint64_t collect_triangles(const ChunkView& chunk, const ListBatch& batch,
                                const IntersectScratch& scratch, TriangleSink& sink, unsigned thread) {
  return HWY_DYNAMIC_DISPATCH(collect_lists)(chunk, batch, scratch, &sink, thread);
}

}  // namespace emgraph::graph::triangles
#endif
