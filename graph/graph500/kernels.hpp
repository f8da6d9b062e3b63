// SPDX-License-Identifier: MIT
// Kernels 2 and 3 on one graph, whatever its memory model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/environment.hpp"
#include "graph/graph500/edge_list.hpp"
#include "graph/graph500/graph.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::graph500 {

/// A constructed graph and the state of its searches. Parents: all ones for unreached nodes. Distances:
/// infinity for unreached nodes.
class Kernels {
 public:
  virtual ~Kernels() = default;

  /// Search from the root. Return the seconds until parents() or distances() hold the result, without the
  /// time to clear the last one.
  virtual double breadth_first(std::uint32_t root) = 0;
  virtual double shortest_paths(std::uint32_t root) = 0;

  /// Of the last search.
  virtual std::span<const std::uint32_t> parents() const = 0;
  virtual std::span<const double> distances() const = 0;
};

/// Builds the graph in memory (graph.hpp).
std::unique_ptr<Kernels> internal_kernels(core::Environment& environment, const EdgeList& list,
                                          GraphParts parts);
std::uint64_t internal_bytes(const EdgeList& list, GraphParts parts, unsigned threads);

/// Builds a compressed adjacency on the temporary disks, and searches it as the commands bfs and sssp do,
/// with parents and distances of the nodes in memory.
std::unique_ptr<Kernels> semi_external_kernels(core::Environment& environment, const EdgeList& list,
                                               std::uint64_t edge_factor, std::uint64_t seed,
                                               GraphParts parts);
std::uint64_t semi_external_bytes(const EdgeList& list, GraphParts parts);

}  // namespace emgraph::graph::graph500
