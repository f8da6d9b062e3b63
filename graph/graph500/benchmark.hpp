// SPDX-License-Identifier: MIT
// The Graph500 benchmark in one process: edge list, construction, searches from drawn roots, validation.
#pragma once

#include <cstdint>
#include <string>

#include "core/environment.hpp"
#include "graph/forecast.hpp"
#include "graph/graph500/statistics.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::graph500 {

struct Options {
  unsigned scale = 0;  ///< 2^scale nodes, 1 to 32
  std::uint64_t edge_factor = 16;
  std::uint64_t roots = 64;
  bool bfs = true;
  bool sssp = true;
  std::uint64_t seed = 1;  ///< 1 is the benchmark's graph (generate::Graph500Model)
  MemoryModel model = MemoryModel::automatic;
};

struct Result {
  RunRecord record;
  ModelChoice choice;
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::string edge_list;       ///< where validation gets the edges
  double keeping_seconds = 0;  ///< external model: to sort the edges that are kept for validation
  std::string violation;       ///< not empty: a result broke this rule, and the run ended there
};

/// Runs kernel 1, then kernel 2 from all roots, then kernel 3. Every result is validated by all five rules
/// (validation.hpp; external_validation.hpp in the external model). The edge list is stored if memory allows,
/// else generated wherever it is read, inside that time; the external model may keep it on the temporary
/// disks. I/O: none in the internal model; else that of build_pages.hpp, of each search that of graph/bfs and
/// graph/sssp, and of external validation. Throws: UsageError (parameters; no node has a neighbour),
/// MemoryLimitError, EnvironmentError.
Result run(core::Environment& environment, const Options& options);

/// What run() would do (graph/forecast.hpp). I/O: none. Throws as run() before its first edge.
Forecast forecast(core::Environment& environment, const Options& options);

}  // namespace emgraph::graph::graph500
