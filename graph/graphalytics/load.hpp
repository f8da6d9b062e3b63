// SPDX-License-Identifier: MIT
// Brings a data set into the form that the solvers read: numbered edges on the temporary disks.
#pragma once

#include <cstdint>
#include <memory>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/graphalytics/data_set.hpp"
#include "graph/node_words.hpp"

namespace emgraph::graph::graphalytics {

/// Vertices are numbered 0 … n - 1 in the order of their ids, so that the smallest label stays the smallest.
struct LoadedGraph {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::shared_ptr<RecordSource> source;  ///< can be rewound; weights are doubles
  NodeWords ids;                         ///< of the vertices in the files
  std::uint64_t bfs_root = 0;            ///< numbers
  std::uint64_t sssp_root = 0;
};

/// Reads the vertex file and the edge file. Method: a loop stands for each vertex while ids are numbered, so
/// that vertices without edges get a number; graph/prepare/relabel does the rest, in any memory. I/O: that of
/// relabelling, and each edge once out. Memory, threads: as relabel(). Throws: DataError (a vertex stands
/// twice, an edge names none, a root is none, a count is not the declared one), MemoryLimitError,
/// EnvironmentError.
LoadedGraph load(core::Environment& environment, const DataSet& set);

}  // namespace emgraph::graph::graphalytics
