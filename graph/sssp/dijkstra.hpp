// SPDX-License-Identifier: MIT
// Dijkstra's algorithm on rows in memory, with any monotone queue.
#pragma once

#include <cstdint>

#include "core/base/prefetch.hpp"
#include "graph/sssp/queues.hpp"
#include "graph/sssp/rows.hpp"

namespace emgraph::graph::sssp {

/// Watches a full search: nothing ends it.
struct WholeSearch {
  static constexpr bool goes_on(std::uint64_t) { return true; }
  template <class Id>
  static constexpr void first_reached(Id) {}
  static constexpr void settled() {}
};

/// Problem: the distances of all nodes from a root.
///
/// Method: Dijkstra 1959, doi 10.1007/BF01386390. Entries of one key are settled together: what they need is
/// fetched from memory for all of them before the first is used. `watch.goes_on(key)` is asked before the
/// nodes of a key are settled; false ends the search. I/O: none. Memory: that of the queue. Threads: one.
/// Requires: the distances are `unreached`. Throws: MemoryLimitError.
template <class Distances, class RowsType, class Queue, class Watch>
void search_in_order(const RowsType& rows, typename RowsType::Id root, std::uint64_t* distance, Queue& queue,
                     Watch&& watch) {
  using Id = typename RowsType::Id;
  const auto fetch_node = [&](Id node) {
    core::prefetch(distance + node);
    core::prefetch(rows.offset_of(node));
  };
  distance[root] = 0;
  watch.first_reached(root);
  queue.push(0, root);
  for (QueueBatch<Id> batch; !(batch = queue.next()).nodes.empty();) {
    if (!watch.goes_on(batch.key)) return;
    if (batch.nodes.size() > 1) {
      for (const Id node : batch.nodes) core::prefetch(rows.first_arc(node));
    }
    if constexpr (requires { queue.look_ahead(fetch_node); }) queue.look_ahead(fetch_node);
    for (const Id node : batch.nodes) {
      if (distance[node] != batch.key) continue;
      watch.settled();
      for (const auto arc : rows.arcs(node)) {
        const std::uint64_t sum = Distances::add(batch.key, arc.length);
        const Id target = arc.target;
        if (sum >= distance[target]) continue;
        if (distance[target] == Distances::unreached) watch.first_reached(target);
        distance[target] = sum;
        queue.push(sum, target);
      }
    }
  }
}

}  // namespace emgraph::graph::sssp
