// SPDX-License-Identifier: MIT
// The node from which a search starts if no root is given, found without sorting the edges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/environment.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::bfs {

/// The smallest node of the largest degree, without loops and duplicates (directed: out-degree).
template <class Id>
struct LargestDegree {
  Id node = 0;
  AtomicBits neighbours;
  prepare::IngestFacts read;
  std::uint64_t nodes = 0;  ///< n
};

/// Method: the nodes that occur most often in `sample` are candidates. A reading counts the ends of all edges
/// in counters that nodes share by their hash: upper bounds of degrees. Another one marks the neighbours of
/// each candidate. The candidate with most of them is the result if the counters, without the candidates'
/// ends, are below its degree; else nullopt, with the source at its first edge.
///
/// `both`: an edge leads both ways. I/O: two readings. Memory: a MiB for each thread; a bit per node and
/// candidate, of which as many are taken as fit in an eighth of the free memory. Threads: all. Throws: as
/// ingest(). Requires: the source can be read again, and knows its number of edges.
template <class Id>
std::optional<LargestDegree<Id>> find_largest_degree(core::Environment& environment, EdgeSource<Id>& source,
                                                     const Options& options, bool both,
                                                     std::span<const Edge<Id>> sample);

/// Most bytes that this takes.
std::uint64_t largest_degree_bytes(const core::Environment& environment, std::uint64_t nodes);

}  // namespace emgraph::graph::bfs
