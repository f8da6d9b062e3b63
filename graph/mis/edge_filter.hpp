// SPDX-License-Identifier: MIT
// The edges of a batch that can still change the set: from a range of nodes, with neither end excluded.
//
// Problem: three tests per edge: is the smaller end in the range, is it excluded, is the larger end excluded?
// Random edges make the branches unpredictable, and each bit is a cache miss. Method: test by test, each step
// keeping the edges that pass without a branch; edges without attachments in vectors (edge_filter.cpp), whose
// gathers wait for many cache lines at a time. Bits beyond the cache are prefetched as well.
// Measured: see edge_filter.cpp.
//
// I/O: none. Memory: up to 36 KiB on the stack. Threads: any number while no bit changes. Throws: nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/node_bits.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::mis {

/// The smaller ends that pass: first … first + width.
template <class Id>
struct SmallerEnds {
  Id first;
  Id width;
};

/// Most edges that are filtered at a time.
inline constexpr std::size_t filter_step = 1024;
template <class Id>
using FilteredEdges = std::array<Edge<Id>, filter_step + 64>;  // vectors write more edges than they keep

/// Bits up to this size are not prefetched, because they fit into the caches.
// Measured: gathers alone against gathers and prefetching, ns an edge: 8 MiB of bits 1.32 and 2.14, 16 MiB
// 3.14 and 2.70, 51 MiB 3.68 and 3.21 (EPYC, 1 MiB of second-level cache a core and 32 MiB of third, other
// work on the machine, throw-away program).
inline constexpr std::size_t cached_bits_bytes = std::size_t{12} << 20;

/// filter_edges in a scalar loop.
template <class Id>
std::size_t filter_edge_by_edge(std::span<const Edge<Id>> batch, SmallerEnds<Id> range,
                                const NodeBits* excluded, FilteredEdges<Id>& kept) {
  constexpr std::size_t ahead = 16;  // edges between prefetch and test
  std::size_t in_range = 0;
  for (const Edge<Id>& edge : batch) {
    kept[in_range] = low_high(edge.source, edge.target);
    const bool inside = static_cast<Id>(kept[in_range].source - range.first) <= range.width;
    in_range += inside & (kept[in_range].source != kept[in_range].target) ? 1 : 0;
  }
  if (excluded == nullptr) return in_range;
  std::size_t undecided = 0;
  for (std::size_t i = 0; i < in_range; ++i) {
    excluded->prefetch(kept[std::min(i + ahead, in_range - 1)].source);
    const Edge<Id> edge = kept[i];
    kept[undecided] = edge;
    undecided += excluded->test(edge.source) ? 0 : 1;
  }
  std::size_t all = 0;
  for (std::size_t i = 0; i < undecided; ++i) {
    excluded->prefetch(kept[std::min(i + ahead, undecided - 1)].target);
    const Edge<Id> edge = kept[i];
    kept[all] = edge;
    all += excluded->test(edge.target) ? 0 : 1;
  }
  return all;
}

/// Writes (smaller, larger) end of the edges of `batch` that are not loops, whose smaller end is in `range`
/// and whose ends are not in `excluded` (null: no node is), in their order. Returns their number. Requires:
/// `batch` has at most filter_step edges. In vectors; their width is chosen at run time and does not show in
/// the result.
std::size_t filter_edges(std::span<const Edge32> batch, SmallerEnds<std::uint32_t> range,
                         const NodeBits* excluded, FilteredEdges<std::uint32_t>& kept);
std::size_t filter_edges(std::span<const Edge64> batch, SmallerEnds<std::uint64_t> range,
                         const NodeBits* excluded, FilteredEdges<std::uint64_t>& kept);

/// Drops the keys of edges with an end in `excluded`, while one other thread adds nodes to it: which of the
/// latest ones are seen does not change the set. Moves the others to the front and returns their number.
std::size_t keep_undecided(std::span<std::uint64_t> keys, const prepare::EdgeKeys<std::uint64_t>& edge_keys,
                           const NodeBits& excluded);

}  // namespace emgraph::graph::mis
