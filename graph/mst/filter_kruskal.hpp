// SPDX-License-Identifier: MIT
// The minimum spanning forest of edges in memory.
//
// Problem: codes of edges (edge_code.hpp) in an array, in any order, with duplicates; which are in the
// forest? Method: filter-Kruskal. Split the edges at a pivot; find the forest of the light ones; drop heavy
// ones whose ends the light ones connect; go on with what is left. Few edges are left when they are sorted.
// Small stretches are sorted, ends are looked up on all threads, and the survivors united in order.
// Invariants: when a stretch is taken up, the union-find holds the forest of all edges before it; the forest
// found so far lies, ascending, in front of all that has not been looked at.
// Source: Osipov, Sanders, Singler (2009), "The Filter-Kruskal Minimum Spanning Tree Algorithm", ALENEX,
// doi 10.1137/1.9781611972894.5.
//
// I/O: none. Memory: none but the array and the union-find. Threads: as given; splitting, filtering, sorting
// and looking up in parallel, uniting not. Throws: nothing of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/base/thread_team.hpp"
#include "graph/mst/parallel_partition.hpp"
#include "graph/union_find.hpp"

namespace emgraph::graph::mst {

template <class Code>
class FilterKruskal {
 public:
  using Node = std::uint32_t;

  /// `sets`: nodes, none united.
  FilterKruskal(const EdgeCodes<Code>& codes, UnionFind<Node>& sets, core::ThreadTeam& crew)
      : codes_(codes), sets_(sets), crew_(crew) {}

  /// Moves the forest to the front of `edges`, ascending, and returns its size. Calls `reached(code)` before
  /// a stretch of edges is united that begins with `code`: all lighter ones of the forest have been united.
  template <class Reached>
  std::size_t run(std::span<Code> edges, Reached&& reached) {
    edges_ = edges.data();
    found_ = 0;
    most_ = sets_.size() == 0 ? 0 : static_cast<std::size_t>(sets_.size() - 1);
    take(0, edges.size(), reached);
    return found_;
  }

 private:
  // Sorting costs 8 ns a code, and filtering more: stretches that fit the second-level cache need no split.
  static constexpr std::size_t base_edges = 128 * 1024;
  static constexpr std::size_t ahead = 24;  ///< how far prefetching runs before looking

  template <class Reached>
  void take(std::size_t begin, std::size_t end, Reached& reached) {
    while (end > begin && found_ < most_) {
      const std::span<Code> edges(edges_ + begin, end - begin);
      std::size_t light = 0;
      if (edges.size() > base_edges) {
        light = partition_codes(edges, median_of_sample(std::span<const Code>(edges)), crew_);
      }
      if (light == 0) {  // few, or mostly equal ones
        sort_codes(edges, crew_);
        reached(edges.front());
        const std::size_t kept = filter(edges);
        worthwhile_ = kept < edges.size() / 5 * 2;
        unite(edges.first(kept));
        return;
      }
      take(begin, begin + light, reached);
      begin += light;
      if (worthwhile_) end = begin + filter(std::span<Code>(edges_ + begin, end - begin));
    }
  }

  /// Keeps, in their order, the edges whose ends are in different sets. Returns how many.
  std::size_t filter(std::span<Code> edges) {
    constexpr std::size_t small = 8 * 1024;
    const unsigned threads = crew_.size();
    if (threads <= 1 || edges.size() < small) return filter_share(edges);
    std::vector<std::size_t> kept(threads);
    const auto share = [&](unsigned thread) { return edges.size() * thread / threads; };
    crew_.all([&](unsigned thread) {
      kept[thread] = filter_share(edges.subspan(share(thread), share(thread + 1) - share(thread)));
    });
    std::size_t all = kept[0];
    for (unsigned thread = 1; thread < threads; ++thread) {
      std::memmove(edges.data() + all, edges.data() + share(thread), kept[thread] * sizeof(Code));
      all += kept[thread];
    }
    return all;
  }

  std::size_t filter_share(std::span<Code> edges) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      prefetch(edges[std::min(i + ahead, edges.size() - 1)]);
      const Code edge = edges[i];
      edges[kept] = edge;
      kept += sets_.find(low(edge)) != sets_.find(high(edge)) ? 1 : 0;
    }
    return kept;
  }

  /// In order.
  void unite(std::span<const Code> edges) {
    for (std::size_t i = 0; i < edges.size() && found_ < most_; ++i) {
      prefetch(edges[std::min(i + ahead, edges.size() - 1)]);
      const Code edge = edges[i];
      edges_[found_] = edge;
      found_ += sets_.unite(low(edge), high(edge)) ? 1 : 0;
    }
  }

  Node low(const Code& edge) const { return static_cast<Node>(codes_.low(edge)); }
  Node high(const Code& edge) const { return static_cast<Node>(codes_.high(edge)); }
  void prefetch(const Code& edge) const {
    sets_.prefetch(low(edge));
    sets_.prefetch(high(edge));
  }

  const EdgeCodes<Code>& codes_;
  UnionFind<Node>& sets_;
  core::ThreadTeam& crew_;
  Code* edges_ = nullptr;
  std::size_t found_ = 0;
  std::size_t most_ = 0;
  /// Of the latest stretch so many were dropped that looking at the heavier ones pays. Looking costs more
  /// than sorting. Measured: grid4096, hash weights: 4.4 CPU s when heavy edges are always looked at, 2.8
  /// to 3.3 so (whole runs, EPYC, 2 cores, loaded machine).
  bool worthwhile_ = true;
};

}  // namespace emgraph::graph::mst
