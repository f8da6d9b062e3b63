// SPDX-License-Identifier: MIT
// A level from below, by a scan of all lists: who has not been visited looks for a visited neighbour.
//
// Problem: a wide level without sorting the neighbours of the one above. Method: all threads go through the
// pages; a node that is not visited looks for its first visited neighbour (Beamer, Asanović, Patterson 2012,
// doi 10.1109/SC.2012.50, with a list read to its first hit). All its visited neighbours are on the level
// above, for it would have been visited sooner otherwise; so the first is its parent. A list that goes on in
// further pages may have a hit in each of them, found by several threads in any order: all go to the log,
// where the smallest parent of a node counts.
//
// I/O: one scan. Memory: one bit per node, charged; what threads gather, 12 or 24 KiB each, is not. Threads:
// all. Throws: DataError (damaged page), MemoryLimitError, EnvironmentError.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/bfs/external_log.hpp"
#include "graph/node_bits.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::bfs {

/// Bits of the nodes with a neighbour among the visited ones that are not visited themselves. They and their
/// parents are in the log then. Requires: an undirected graph.
template <class Id>
core::Array<std::uint64_t> level_from_below(core::Environment& environment,
                                            adjacency::PagedAdjacency<Id>& graph, const NodeBits& visited,
                                            SearchLog<Id>& log) {
  constexpr std::size_t most_gathered = 1024;
  core::Array<std::uint64_t> found(environment.memory, NodeBits::words_for(graph.facts().nodes),
                                   "one bit per node");
  struct Gathered {
    std::vector<Id> nodes;
    std::vector<Edge<Id>> pairs;
  };
  std::vector<Gathered> gathered(environment.threads);
  std::mutex mutex;
  const auto flush = [&](Gathered& mine) {
    const std::lock_guard lock(mutex);
    for (const Id node : mine.nodes) log.add(node);
    for (const Edge<Id>& pair : mine.pairs) log.add_parent(pair.source, pair.target);
    mine.nodes.clear();
    mine.pairs.clear();
  };
  graph.scan(environment.threads, 0, [&](unsigned thread, adjacency::PageCursor<Id>& cursor) {
    Gathered& mine = gathered[thread];
    bool any = false;
    Id last = 0;  // a node with a hit in this page
    while (cursor.next()) {
      const Id node = cursor.node();
      if (visited.test(node) || (any && node == last)) continue;
      Id parent = 0;
      const auto hit = [&](Id neighbour) {
        parent = neighbour;
        return visited.test(neighbour);
      };
      if (!cursor.find(hit)) continue;
      any = true;
      last = node;
      const std::uint64_t bit = std::uint64_t{1} << (node & 63);
      const std::uint64_t before =
          std::atomic_ref<std::uint64_t>(found[node >> 6]).fetch_or(bit, std::memory_order_relaxed);
      if ((before & bit) == 0) mine.nodes.push_back(node);
      mine.pairs.push_back({node, parent});
      if (mine.pairs.size() == most_gathered) flush(mine);
    }
  });
  for (Gathered& mine : gathered) flush(mine);
  return found;
}

}  // namespace emgraph::graph::bfs
