// SPDX-License-Identifier: MIT
// Kernels 2 and 3 with parents and distances on the temporary disks.
#pragma once

#include <cstdint>
#include <memory>

#include "core/environment.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/graph500/disk_values.hpp"
#include "graph/graph500/graph.hpp"
#include "graph/graph500/list_pages.hpp"
#include "graph/graph500/tree_levels.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::graph500 {

/// Searches a compressed adjacency as the commands bfs and sssp do. I/O, memory, threads and errors: theirs.
class ExternalKernels {
 public:
  /// `model`: of the searches; automatic: they keep bits or distances in memory where these fit.
  ExternalKernels(core::Environment& environment, const EdgeList& list, std::uint64_t edge_factor,
                  std::uint64_t seed, GraphParts parts, MemoryModel model);

  /// Each gives the seconds of the search, its result included. Results have pieces of 2^piece_bits nodes.
  double breadth_first(std::uint32_t root, unsigned piece_bits);
  double shortest_paths(std::uint32_t root, unsigned piece_bits);

  /// Of the last search; valid until the next one.
  DiskAnswer answer() const;

 private:
  QuietEnvironment quiet_environment_;
  const MemoryModel model_;
  const std::unique_ptr<adjacency::PagedAdjacency<std::uint32_t>> graph_;
  std::uint32_t root_ = 0;
  bool with_distances_ = false;
  DiskValues<std::uint32_t> parents_;
  DiskValues<double> distances_;
};

}  // namespace emgraph::graph::graph500
