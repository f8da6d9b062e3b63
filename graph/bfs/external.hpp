// SPDX-License-Identifier: MIT
// The external model of `bfs`: a level per node does not fit in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/prepare/adjacency/kept_search.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::bfs {

/// Whether to store the lists of near nodes together before the search (external_clusters.hpp).
/// automatic: when reading pages has cost as much as that would.
enum class Clusters { automatic, never, always };

struct ExternalOptions {
  Clusters clusters = Clusters::automatic;
  /// One bit per node may be held in memory if two bits per node fit in half of the free memory.
  bool bits = true;
};

struct ExternalResult {
  std::uint64_t reached = 0;
  std::uint64_t levels = 0;
  std::vector<std::uint64_t> nodes_per_level;  ///< for the first most_counted_levels levels (bfs.hpp)
  std::string method;                          ///< the ways of reading lists, for the summary
};

/// Which search the state in a checkpoint is of.
enum class SavedSearch : std::uint64_t { pages = 1, external = 2 };

/// For people: what a search has done.
std::string levels_done(std::uint64_t levels, std::uint64_t reached);

/// Searches from `root` and sends levels and parents of all nodes to the sinks, either of which may be null.
/// Requires: root is below n. I/O: see external_search.hpp. Memory: all free memory. Throws:
/// MemoryLimitError, DataError (damaged page), EnvironmentError, exceptions of the sinks.
/// `kept`: the checkpoint, or null. `saved`: what it has kept of this search, after SavedSearch, or null.
template <class Id>
ExternalResult search_external(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, Id root,
                               const ExternalOptions& options, NodeSink<std::uint32_t>* levels,
                               NodeSink<Id>* parents, adjacency::KeptSearch<Id>* kept = nullptr,
                               core::StateReader* saved = nullptr);

/// The graph and the results of a search, for its forecast.
struct ExternalSize {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;
  std::uint64_t pages_bytes = 0;  ///< of pages that are not in memory: a bound
  bool directed = false;
  bool levels = false;
  bool parents = false;
};

/// For a forecast, in place of search_external: reserves the memory that it may take.
template <class Id>
void rehearse_external(core::Environment& environment, const ExternalSize& size);

}  // namespace emgraph::graph::bfs
