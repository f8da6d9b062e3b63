// SPDX-License-Identifier: MIT
// The external model of `sssp`: a distance per node does not fit in memory.
#pragma once

#include <cstdint>
#include <string>

#include "core/environment.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::sssp {

struct ExternalResult {
  std::uint64_t reached = 0;
  std::uint64_t max_distance = 0;  ///< largest finite distance, as a word (distances.hpp)
  std::string method;              ///< the ways of reading lists, for the summary
};

/// Problem: the distances of all nodes from a root, with nothing per node in memory but a bit where it fits.
///
/// Method: Dijkstra's algorithm with an external priority queue that cannot lower a key, and a bit per
/// settled node, as semi-external searches have it (Meyer, Osipov 2009, "Design and implementation of a
/// practical I/O-efficient shortest paths algorithm", doi 10.1137/1.9781611972894.9; their hierarchy of
/// buckets gives way to core's sequence heap). All nodes nearer than the nearest unsettled one plus the
/// shortest arc are final: they are settled together, sorted, and their lists read by page, with many
/// requests in flight, or by a scan (adjacency/list_access.hpp). A table of the latest candidates keeps most
/// of those from the queue that are no nearer than an earlier one of the same node. The distances are sorted
/// into node order at the end; parents come from a pass over all arcs, sorted by target
/// (external_parents.hpp). I/O: O(sort(m)) for queue and results, and the pages of the lists. Memory: all
/// free memory. Threads: one; those of scans and sorts. Requires: root is below n; the lists have weights,
/// all valid lengths. Throws: MemoryLimitError, DataError (damaged page, a distance that overflows),
/// EnvironmentError, exceptions of the sinks, either of which may be null.
template <class Id>
ExternalResult search_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                               NodeSink<std::uint64_t>* distances, NodeSink<Id>* parents);

}  // namespace emgraph::graph::sssp
