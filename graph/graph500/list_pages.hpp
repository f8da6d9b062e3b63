// SPDX-License-Identifier: MIT
// Kernel 1 on disk: the edge list as a compressed adjacency on the temporary disks.
#pragma once

#include <cstdint>
#include <memory>

#include "core/environment.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/edge_source.hpp"
#include "graph/graph500/edge_list.hpp"
#include "graph/graph500/graph.hpp"

namespace emgraph::graph::graph500 {

/// An environment whose progress nobody sees: the benchmark has one phase for all searches.
class QuietEnvironment {
 public:
  explicit QuietEnvironment(core::Environment& loud)
      : quiet_{.memory = loud.memory,
               .blocks = loud.blocks,
               .io = loud.io,
               .progress = silent_,
               .outputs = loud.outputs,
               .spill = loud.spill,
               .threads = loud.threads,
               .seed = loud.seed} {}
  QuietEnvironment(const QuietEnvironment&) = delete;
  operator core::Environment&() { return quiet_; }

 private:
  core::SilentProgress silent_;
  core::Environment quiet_;
};

/// The edge list as a source, with weights if `parts` has arcs.
EdgeSource<std::uint32_t> list_source(core::Environment& environment, const EdgeList& list,
                                      std::uint64_t edge_factor, std::uint64_t seed, GraphParts parts);

/// Builds the undirected graph, with weights if `parts` has arcs. I/O: O(sort(m)). Memory: all free memory
/// while it is built, then the index. Throws: MemoryLimitError, EnvironmentError.
std::unique_ptr<adjacency::PagedAdjacency<std::uint32_t>> build_list_pages(core::Environment& environment,
                                                                           const EdgeList& list,
                                                                           std::uint64_t edge_factor,
                                                                           std::uint64_t seed,
                                                                           GraphParts parts);

}  // namespace emgraph::graph::graph500
