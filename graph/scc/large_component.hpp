// SPDX-License-Identifier: MIT
// Finds one large component, if there is one, and contracts it.
//
// Problem: most graphs with several edges per node have one component with most of the nodes. A depth-first
// search follows its edges in random order, with one thread. Method: scans over the edges mark what a node of
// large degree, the pivot, reaches (forward) and what reaches it (backward), with two bits per node; a mark
// counts at once, so few scans do. An edge from a node with the first mark to one with the second is on a
// cycle through the pivot: it is dropped, so later scans are shorter. If the marks of a direction are
// complete, no component has nodes with and without it, and edges between such nodes are dropped. Source:
// Fleischer, Hendrickson, Pinar (2000), doi 10.1007/3-540-45591-4_68. Measured: see README.md.
//
// I/O: none if the edges are in memory; else they are read once per scan, and written without those that are
// dropped. Memory: two bits per node, and five blocks. Threads: all where edges are in memory. Throws:
// MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/vector_sort.hpp"
#include "core/environment.hpp"
#include "graph/node_bits.hpp"
#include "graph/scc/edge_store.hpp"
#include "graph/scc/external_base.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::scc {

/// Nodes of one component; not always all of them.
template <class Id>
struct ComponentPart {
  NodeBits members;
  std::uint64_t size = 0;
  Id root = 0;  ///< the smallest member
};

template <class Id>
class LargestSearch {
 public:
  LargestSearch(core::Environment& environment, std::uint64_t nodes, EdgeStore<Id>& store)
      : nodes_(nodes),
        store_(store),
        forward_(environment.memory, nodes, "a bit per node"),
        backward_(environment.memory, nodes, "a bit per node") {}

  static std::uint64_t bytes_for(std::uint64_t nodes, std::size_t block_bytes) {
    return core::size_sum(2 * NodeBits::bytes_for(nodes), 2 * core::page_bytes, 5 * block_bytes);
  }
  /// False if there are so few edges that a large component is unlikely, or if memory does not do.
  static bool pays(std::uint64_t nodes, std::uint64_t edges, std::size_t block_bytes,
                   std::size_t free_bytes) {
    return edges / 3 * 2 > nodes && bytes_for(nodes, block_bytes) <= free_bytes / 2;
  }

  /// Replaces the members by their root in the edges of the store, and drops loops; without `keep_edges`
  /// edges between components, too. Once. Requires: at least one edge.
  ComponentPart<Id> contract(bool keep_edges) && {
    search(likely_member());
    const auto in_component = [&](Id node) { return forward_.test(node) && backward_.test(node); };
    Id root = 0;
    while (!in_component(root)) ++root;
    store_.change([&](std::span<Edge<Id>> edges) {
      return keep(edges, [&](Edge<Id>& edge) {
        if (!keep_edges && told_apart(edge)) return false;
        if (in_component(edge.source)) edge.source = root;
        if (in_component(edge.target)) edge.target = root;
        return edge.source != edge.target;
      });
    });
    forward_.keep_common(backward_);
    const std::uint64_t size = nodes_ - forward_.zeros_below(nodes_);
    return {std::move(forward_), size, root};
  }

 private:
  // A scan in memory takes 1 to 5 ns per edge, a depth-first search 50 to 150. A scan of the disk takes as
  // long as reading all edges.
  static constexpr unsigned most_scans = 16;
  static constexpr unsigned most_scans_of_disk = 6;

  /// A node that is likely to be in the largest component: the one that is both source and target of the
  /// edges of a sample most often.
  [[gnu::cold]] Id likely_member() const {
    std::vector<Id> sources;
    std::vector<Id> targets;
    const PairSample sample = store_.sample();
    for (const auto& [source, target] : sample.pairs()) {
      sources.push_back(static_cast<Id>(source));
      targets.push_back(static_cast<Id>(target));
    }
    core::vector_sort(std::span(sources));
    core::vector_sort(std::span(targets));
    Id best = sources.front();
    std::ptrdiff_t most = 0;
    for (auto at = sources.begin(); at != sources.end();) {
      const Id node = *at;
      const auto next = std::upper_bound(at, sources.end(), node);
      const auto [first, last] = std::equal_range(targets.begin(), targets.end(), node);
      if (const auto times = std::min(next - at, last - first); times > most) {
        most = times;
        best = node;
      }
      at = next;
    }
    return best;
  }

  /// Marks nodes until no scan finds more, or until it does not pay.
  void search(Id pivot) {
    forward_.set(pivot);
    backward_.set(pivot);
    std::uint64_t reached = 1;
    std::uint64_t reaching = 1;
    const auto mark = [&](std::span<Edge<Id>> edges) {
      return keep(edges, [&](const Edge<Id>& edge) {
        const bool from_reached = forward_.test_shared(edge.source);
        const bool to_reaching = backward_.test_shared(edge.target);
        if (from_reached && !forward_.test_shared(edge.target)) forward_.set_by_any(edge.target);
        if (to_reaching && !backward_.test_shared(edge.source)) backward_.set_by_any(edge.source);
        return !(from_reached && to_reaching);
      });
    };
    const unsigned most = store_.in_memory() ? most_scans : most_scans_of_disk;
    for (unsigned scan = 0; scan < most; ++scan) {
      // Edges on disk are written only if many of them are dropped.
      if (store_.in_memory() || std::min(reached, reaching) > nodes_ / 8) {
        store_.change(mark);
      } else {
        store_.visit(mark);
      }
      const std::uint64_t reached_before = std::exchange(reached, nodes_ - forward_.zeros_below(nodes_));
      const std::uint64_t reaching_before = std::exchange(reaching, nodes_ - backward_.zeros_below(nodes_));
      all_reached_ = reached == reached_before;
      all_reaching_ = reaching == reaching_before;
      if (all_reached_ && all_reaching_) return;
      // The first scans find few nodes, each some times as many as the one before.
      const std::uint64_t found = reached - reached_before + reaching - reaching_before;
      if (scan >= 4 && found < nodes_ / 256) return;
    }
  }

  /// Moves the edges for which stays(edge) is true to the front and returns their number.
  template <class Stays>
  std::size_t keep(std::span<Edge<Id>> edges, Stays&& stays) const {
    constexpr std::size_t ahead = 16;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge<Id>& later = edges[std::min(i + ahead, edges.size() - 1)];
      for (const NodeBits* const bits : {&forward_, &backward_}) {
        bits->prefetch(later.source);
        bits->prefetch(later.target);
      }
      Edge<Id> edge = edges[i];
      const bool stay = stays(edge);
      edges[kept] = edge;
      kept += stay ? 1 : 0;
    }
    return kept;
  }

  bool told_apart(const Edge<Id>& edge) const {
    return (all_reached_ && forward_.test(edge.source) != forward_.test(edge.target)) ||
           (all_reaching_ && backward_.test(edge.source) != backward_.test(edge.target));
  }

  const std::uint64_t nodes_;
  EdgeStore<Id>& store_;
  NodeBits forward_;   ///< nodes that the pivot reaches, as far as known
  NodeBits backward_;  ///< nodes that reach it
  bool all_reached_ = false;
  bool all_reaching_ = false;
};

}  // namespace emgraph::graph::scc
