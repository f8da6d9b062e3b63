// SPDX-License-Identifier: MIT
// Core numbers of the nodes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::kcore {

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;       ///< as read
  std::uint64_t degeneracy = 0;  ///< the largest core number
  ModelChoice choice;
  std::uint64_t rounds = 0;  ///< sets of nodes whose lists were read together; semi-external: sweeps, whose
                             ///< number depends on which thread is first; external: sorts
};

/// The k-core is the largest part of the graph in which every node has at least k neighbours. The core number
/// of a node is the largest k of a k-core that it is in. Direction, loops and duplicates do not count. Sends
/// the core numbers of nodes 0, 1, 2 … to `sink` (may be null).
/// I/O: the edges once, and a sort unless build_rows() takes them; then by model (peel.hpp,
/// estimate_sweeps.hpp, external_rounds.hpp). Memory: internal 4 bytes and two ids per node, and rows or
/// pages; semi-external 4 bytes and a bit per node, and blocks; external blocks. Threads: all.
/// Source: Batagelj, Zaversnik (2003), arXiv cs/0310049; external: README.md.
/// Throws: DataError (id not below n), MemoryLimitError, EnvironmentError.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<std::uint32_t>* sink);

/// What run() would do with a source of this size (graph/forecast.hpp). I/O: a sample of the edges. Throws as
/// run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size);

}  // namespace emgraph::graph::kcore
