// SPDX-License-Identifier: MIT
// Maximal independent set when one bit per node fits in memory.
//
// Problem: edges (u, v), u < v, in ascending order of u; which nodes are in the lexicographically first set?
// Method: greedy. When the scan comes to u, all smaller neighbours of u have been decided and the members
// among them have excluded u; if none has, u is in the set and excludes its larger neighbours. Order and
// number of the edges of one source do not matter. Invariant: bit v is set iff a member smaller than the
// scan's position is a neighbour of v. The bit of v is the only random access: a bitmap of 2.6 MB
// (21 M nodes) stays in the cache. Dementiev, Kettner, Sanders (2008), "STXXL", section 6,
// doi 10.1002/spe.844; there with a priority queue.
//
// I/O: none. Memory: n / 8 bytes. Threads: one. Throws: MemoryLimitError.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/environment.hpp"
#include "graph/mis/edge_filter.hpp"
#include "graph/mis/member_output.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph::mis {

class BitmapScan {
 public:
  BitmapScan(core::MemoryBudget& budget, std::uint64_t nodes)
      : excluded_(budget, nodes, "one bit per node") {}

  static std::size_t memory_bytes(std::uint64_t nodes) { return NodeBits::bytes_for(nodes); }

  /// Nodes of which a smaller neighbour is known to be in the set. May be looked at by many threads while no
  /// edge comes in.
  const NodeBits& excluded() const { return excluded_; }

  /// Next edge, u < v, ascending by u.
  void edge(std::uint64_t u, std::uint64_t v) {
    if (u != source_) {
      source_ = u;
      member_ = !excluded_.test(u);
    }
    if (member_) excluded_.set(v);
  }

  /// The next `count` edges, `ends(i)` of them the pair (u, v) of edge().
  template <class Ends>
  void edges(std::size_t count, Ends&& ends) {
    if (excluded_.words().size_bytes() <= cached_bits_bytes) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto [u, v] = ends(i);
        edge(u, v);
      }
      return;
    }
    constexpr std::size_t ahead = 32;
    for (std::size_t i = 0; i < count; ++i) {
      const auto [next_u, next_v] = ends(std::min(i + ahead, count - 1));
      // The bit of a source lies where the scan is; most sources are excluded by the time they come.
      excluded_.prefetch(excluded_.test(next_u) ? next_u : next_v);
      const auto [u, v] = ends(i);
      edge(u, v);
    }
  }

  /// Sends the members to the output.
  template <class Id>
  void finish(MemberOutput<Id>& output) const {
    excluded_.for_each_zero([&](std::uint64_t node) { output.add(node); });
  }

 private:
  NodeBits excluded_;
  std::uint64_t source_ = ~std::uint64_t{0};
  bool member_ = false;
};

}  // namespace emgraph::graph::mis
