// SPDX-License-Identifier: MIT
// The external model of `sssp`: a distance per node does not fit in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/environment.hpp"
#include "core/spill/spill_forecast.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::sssp {

struct ExternalResult {
  std::uint64_t reached = 0;
  std::uint64_t max_distance = 0;       ///< largest finite distance, as a word (distances.hpp)
  std::string method;                   ///< the ways of reading lists, for the summary
  std::optional<std::string> overflow;  ///< why some nodes are unreached although there is a way
};

/// Problem: the distances of all nodes from a root; neither distances nor lists need fit in memory.
///
/// Method: delta-stepping (Meyer, Sanders 2003, doi 10.1016/S0196-6774(03)00076-2) with an external priority
/// queue that cannot lower a key, and a bit per settled node, as semi-external searches have it (Meyer,
/// Osipov 2009, "Design and implementation of a practical I/O-efficient shortest paths algorithm", doi
/// 10.1137/1.9781611972894.9). The nodes of a bucket of distances are held in memory. A round sorts the
/// candidates of the queue that fall into the bucket, merges them with its nodes, and reads the lists of
/// those that are new or nearer than before, by page, with many requests in flight, or by a scan
/// (adjacency/list_access.hpp). Buckets adapt to the share of lists that are read again, and end sooner where
/// their nodes do not fit. A bucket that is no wider than the shortest arc takes one round, as in Dijkstra's
/// algorithm. A filter (candidate_bounds.hpp) keeps most candidates from the queue that are no nearer than an
/// earlier one of their node: by 4 bytes a node, by one, or by a table of the latest, as memory allows. Where
/// it knows the nearest candidate of each node, the queue is weeded when it grows too long. The distances are
/// sorted into node order at the end; parents come from a pass over all arcs, sorted by target
/// (external_parents.hpp). I/O: O(sort(m)) for queue and results, and the pages of the lists. Memory: all
/// free memory. Threads: one; those of scans and sorts. Requires: root is below n; the lists have weights,
/// all valid lengths. Throws: MemoryLimitError, DataError (damaged page), EnvironmentError, exceptions of the
/// sinks, either of which may be null.
template <class Id>
ExternalResult search_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                               NodeSink<std::uint64_t>* distances, NodeSink<Id>* parents);

/// What is known of a search before its pages are made.
struct ExternalSize {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;      ///< arcs
  std::uint64_t pages_bytes = 0;  ///< of all pages
  std::size_t chunk_bytes = 0;    ///< of a scan of the pages
  WeightType weight = WeightType::none;
  bool few_weights = false;  ///< different ones, so that many ways are as short as others
  bool distances = false;    ///< are sent to a sink
  bool parents = false;
};

/// For a forecast: reserves the memory that search_external takes at most, and returns the space on disk
/// beside the pages.
template <class Id>
core::SpillForecast rehearse_external(core::Environment& environment, const ExternalSize& size);

}  // namespace emgraph::graph::sssp
