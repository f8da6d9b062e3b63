// SPDX-License-Identifier: MIT
// The minimum spanning forest of edges in memory.
//
// Problem: find the minimum spanning forest of an array of edge codes (edge_code.hpp), in any order, with
// duplicates. Method: filter-Kruskal. Split the edges at a pivot; find the forest of the light edges; drop
// the heavy edges whose ends are connected by light edges; continue with the remaining heavy edges. Small
// ranges are sorted; few edges reach this point. All threads look up the ends of a range, and one thread
// unites the sets of the remaining edges in order, while the others split and sort the next range: a filter
// that does not know the latest unions keeps more edges, no wrong ones. Invariants: before a range is united,
// the union-find holds the forest of all lighter edges. The forest found so far is at the front of the array,
// ascending.
// Source: Osipov, Sanders, Singler (2009), "The Filter-Kruskal Minimum Spanning Tree Algorithm", ALENEX,
// doi 10.1137/1.9781611972894.5.
//
// I/O: none. Memory: only the array and the union-find. Threads: those of the team for splitting, filtering,
// sorting and looking up; one for uniting. Throws: nothing.
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

  /// `sets`: all nodes, each in a set of its own.
  FilterKruskal(const EdgeCodes<Code>& codes, UnionFind<Node>& sets, core::ThreadTeam& team)
      : codes_(codes), sets_(sets), team_(team) {}
  FilterKruskal(const FilterKruskal&) = delete;
  ~FilterKruskal() { team_.finish_task(); }  // after an exception a range may still be being united

  /// Moves the forest to the front of `edges`, ascending, and returns its size. Calls `reached(code)` before
  /// it unites a range of edges that begins with `code`; all lighter edges of the forest are united then.
  template <class Reached>
  std::size_t run(std::span<Code> edges, Reached&& reached) {
    edges_ = edges.data();
    found_ = 0;
    most_ = sets_.size() == 0 ? 0 : static_cast<std::size_t>(sets_.size() - 1);
    complete_ = most_ == 0;
    take(0, edges.size(), reached);
    finish_uniting();
    return found_;
  }

 private:
  // Sorting costs 8 ns per code, and filtering more, so ranges that fit into the second-level cache are not
  // split.
  static constexpr std::size_t base_edges = 128 * 1024;
  /// Edges between the prefetch of a node, that of its parent, and the look-up. Measured, hash weights, -M
  /// 2G, one thread, without and with the second prefetch: grid4096 3.3 and 2.8 s, 60 M random edges of 30 M
  /// nodes 5.7 and 4.5 s, kron22 the same (2-core Intel Xeon, 2.1 GHz).
  static constexpr std::size_t ahead = 12;

  template <class Reached>
  void take(std::size_t begin, std::size_t end, Reached& reached) {
    while (end > begin && !complete_) {
      const std::span<Code> edges(edges_ + begin, end - begin);
      std::size_t light = 0;
      if (edges.size() > base_edges) {
        light = partition_codes(edges, median_of_sample(std::span<const Code>(edges)), team_);
      }
      if (light == 0) {  // few edges, or mostly equal ones
        sort_codes(edges, team_);
        finish_uniting();
        reached(edges.front());
        const std::size_t kept = filter(edges);
        worthwhile_ = kept < edges.size() / 5 * 2;
        uniting_ = edges.first(kept);
        team_.start_task(unite_);
        return;
      }
      take(begin, begin + light, reached);
      begin += light;
      if (worthwhile_) end = begin + filter(std::span<Code>(edges_ + begin, end - begin));
    }
  }

  /// Keeps, in their order, the edges whose ends are in different sets. Returns their number.
  std::size_t filter(std::span<Code> edges) {
    constexpr std::size_t small = 8 * 1024;
    const unsigned threads = team_.size();
    if (threads <= 1 || edges.size() < small) return filter_share(edges);
    std::vector<std::size_t> kept(threads);
    const auto share = [&](unsigned thread) { return edges.size() * thread / threads; };
    team_.all([&](unsigned thread) {
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
      prefetch(edges, i);
      const Code edge = edges[i];
      edges[kept] = edge;
      kept += sets_.find(low(edge)) != sets_.find(high(edge)) ? 1 : 0;
    }
    return kept;
  }

  void finish_uniting() {
    team_.finish_task();
    complete_ = found_ == most_;
  }
  /// Unites the ends of the edges `uniting_`, in order, and appends the edges that joined two sets to the
  /// forest.
  void unite() {
    for (std::size_t i = 0; i < uniting_.size() && found_ < most_; ++i) {
      prefetch(uniting_, i);
      const Code edge = uniting_[i];
      edges_[found_] = edge;
      found_ += sets_.unite(low(edge), high(edge)) ? 1 : 0;
    }
  }

  Node low(const Code& edge) const { return static_cast<Node>(codes_.low(edge)); }
  Node high(const Code& edge) const { return static_cast<Node>(codes_.high(edge)); }
  /// For the edges after edges[i].
  void prefetch(std::span<const Code> edges, std::size_t i) const {
    const Code& later = edges[std::min(i + 2 * ahead, edges.size() - 1)];
    sets_.prefetch(low(later));
    sets_.prefetch(high(later));
    const Code& next = edges[std::min(i + ahead, edges.size() - 1)];
    sets_.prefetch(sets_.parent(low(next)));
    sets_.prefetch(sets_.parent(high(next)));
  }

  struct Unite {
    FilterKruskal& kruskal;
    void operator()() const { kruskal.unite(); }
  };

  const EdgeCodes<Code>& codes_;
  UnionFind<Node>& sets_;
  core::ThreadTeam& team_;
  Code* edges_ = nullptr;
  const Unite unite_{*this};
  std::span<const Code> uniting_;
  std::size_t found_ = 0;  ///< while a range is being united, of the thread that does it
  std::size_t most_ = 0;
  bool complete_ = false;  ///< the forest has one tree: no further edge belongs to it
  /// True if filtering heavier edges saves time: the latest range dropped many edges. A look-up costs more
  /// than sorting an edge. Measured: grid4096, hash weights: 4.4 CPU s if heavy edges are always
  /// filtered, 2.8 to 3.3 with this rule (whole runs, EPYC, 2 cores, loaded machine).
  bool worthwhile_ = true;
};

}  // namespace emgraph::graph::mst
