// SPDX-License-Identifier: MIT
// Triangles of the undirected simple graph: their number, the number at each node, and the list.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/integers.hpp"
#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::triangles {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  /// For messages: so many nodes, and edges, stand for one of the user's.
  std::uint64_t copies_of_node = 1;
  std::uint64_t copies_of_edge = 1;
};

/// Receivers of results besides the summary; null: not requested.
template <class Id>
struct Outputs {
  /// Number of triangles at each of the nodes 0 … n-1.
  NodeSink<std::uint64_t>* per_node = nullptr;
  /// Degree of each of them in the simple graph; sent after the counts. Requires: per_node, no checkpoint.
  NodeSink<std::uint64_t>* degrees = nullptr;
  /// a, b, c of every triangle a < b < c, in ascending order of (a, b, c).
  NodeSink<Id>* list = nullptr;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t simple_edges = 0;
  std::uint64_t triangles = 0;
  core::uint128 wedges = 0;  ///< pairs of edges with a common end, in the simple graph
  std::uint64_t chunks = 1;  ///< number of chunks of the lists
  ModelChoice choice;

  /// Global clustering coefficient; 0 without a wedge.
  double clustering() const {
    return wedges == 0 ? 0 : 3 * static_cast<double>(triangles) / static_cast<double>(wedges);
  }
};

/// Counts the triangles, and sends what is requested. Loops and duplicates do not count.
/// I/O: internal: reads the input twice. semi-external: also writes 4 bytes per edge and, with memory M for E
/// edges, reads E + E²/2M words. external: also four sorts of the edges. Further I/O for spilled blocks of
/// sorts and of the list of triangles. Memory: internal 4 bytes per node and per edge; semi-external 4 bytes
/// per node, and chunks of lists; external blocks and sorts. Threads: all. Throws: DataError (id not below
/// n), MemoryLimitError, EnvironmentError. Source: Chiba, Nishizeki (1985), doi 10.1137/0214017, for the
/// orientation by degree; Hu, Tao, Chung (2013), doi 10.1145/2463676.2463704, for chunks.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           const Outputs<Id>& outputs);

/// The results that a run would write.
struct WantedOutputs {
  bool per_node = false;
  bool degrees = false;
  bool list = false;
};

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge, and as run() where the lists do not fit a forced model.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs);

}  // namespace emgraph::graph::triangles
