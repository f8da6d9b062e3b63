// SPDX-License-Identifier: MIT
// Kernel 1 in memory: the graph as rows of neighbours, with what breadth-first search and shortest paths
// need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph500/edge_list.hpp"

namespace emgraph::graph::graph500 {

struct Arc {
  std::uint32_t target;  ///< rank
  float weight;
};

/// Where the arcs of a node are.
struct ArcRow {
  std::uint64_t begin;  ///< place of the first one
  std::uint32_t degree;
  std::uint32_t node;
};

struct GraphParts {
  bool neighbours = false;  ///< for breadth-first search
  bool arcs = false;        ///< for shortest paths
};

/// The undirected graph of an edge list, without loops, duplicates included. Immutable.
///
/// Neighbours: the row of a node are places begin(v) ... end(v) - 1, in ascending order of their ranges.
/// Arcs: nodes with neighbours have ranks 0 ... rows().size() - 1, in descending order of degree, so that
/// what is known of the nodes that most arcs lead to lies together. Arcs name their targets by rank. The row
/// of a rank is in ascending order of the ranges of weights.
/// Ranges divide the nodes, and the weights from 0 to 1, into 256 parts of equal width. A search stops at
/// the end of a range. The order within a range depends on the number of threads.
/// Memory: per edge 8 bytes for neighbours, 16 for arcs; per node 4 bytes for neighbours, 16 for arcs.
class Graph {
 public:
  static constexpr std::size_t ranges = 256;

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t entries() const { return entries_; }

  std::uint64_t begin(std::uint64_t node) const { return bases_[node >> base_bits_] + offsets_[node]; }
  std::uint64_t end(std::uint64_t node) const { return begin(node + 1); }
  std::uint64_t degree(std::uint64_t node) const { return end(node) - begin(node); }
  const std::uint32_t* neighbours() const { return neighbours_.data(); }
  std::uint32_t target_range(std::uint32_t node) const { return node >> target_shift_; }
  /// A bit for each node without neighbours, and for places past the last node.
  const core::Array<std::uint64_t>& isolated() const { return isolated_; }

  static std::uint32_t weight_range(float weight) {
    return std::min(static_cast<std::uint32_t>(weight * float{ranges}), std::uint32_t{ranges - 1});
  }
  /// The least weight of the weight's range, and a bound above all of them.
  static double least_weight(float weight) { return weight_range(weight) / double{ranges}; }
  static double weight_bound(float weight) { return (weight_range(weight) + 1) / double{ranges}; }

  /// By rank.
  std::span<const ArcRow> rows() const { return rows_.span(); }
  const Arc* arcs() const { return arcs_.data(); }
  /// Requires: the node has a neighbour; the graph has arcs.
  std::uint32_t rank(std::uint32_t node) const;

 private:
  friend class GraphBuilder;

  unsigned base_bits_ = 0;
  unsigned target_shift_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t entries_ = 0;
  core::Array<std::uint64_t> bases_;    // of groups of 2^base_bits_ nodes
  core::Array<std::uint32_t> offsets_;  // of a node's row, from its base
  core::Array<std::uint32_t> neighbours_;
  core::Array<Arc> arcs_;
  core::Array<ArcRow> rows_;
  core::Array<std::uint64_t> isolated_;
};

/// Bytes of the graph, and those that exist at once while it is made.
struct GraphBytes {
  std::uint64_t graph = 0;
  std::uint64_t construction = 0;
};
GraphBytes graph_bytes(std::uint64_t nodes, std::uint64_t edges, GraphParts parts, unsigned threads);

/// Builds the graph. Requires: at most 2^32 nodes. Memory: graph_bytes(). Throws MemoryLimitError,
/// EnvironmentError.
std::unique_ptr<Graph> build_graph(core::Environment& environment, const EdgeList& list, GraphParts parts);

}  // namespace emgraph::graph::graph500
