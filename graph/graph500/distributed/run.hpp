// SPDX-License-Identifier: MIT
// The Graph500 benchmark over many processes: construction, searches from the roots, validation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/graph500/distributed/local_graph.hpp"
#include "graph/graph500/distributed/validation.hpp"
#include "graph/graph500/statistics.hpp"
#include "graph/mpi/communicator.hpp"

namespace emgraph::graph::graph500::distributed {

struct Options {
  EdgeList list;
  std::function<std::uint64_t()> next_root;  ///< candidates; all ranks get the same ones
  std::uint64_t roots = 64;
  bool bfs = true;
  bool sssp = true;
  /// 8 bytes per node id although 4 would do; for tests of graphs that are too large for them.
  bool wide_ids = false;
};

/// One search of one kernel, the same at all ranks.
using Search = SearchRecord;

/// What all ranks sent in a phase; rounds and seconds are those of the rank with the most.
struct PhaseTraffic {
  std::uint64_t sent_bytes = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  double generation_seconds = 0;
  double construction_seconds = 0;
  PhaseTraffic construction_traffic;
  std::vector<Search> bfs;
  std::vector<Search> sssp;
  PhaseTraffic bfs_traffic;  ///< of all searches, validation left out
  PhaseTraffic sssp_traffic;
  std::uint64_t memory_peak_bytes = 0;  ///< of the rank with the most
  /// The kernel ("bfs", "sssp") and root of the first result that breaks a rule; the run ends there.
  std::optional<Violation> violation;
  std::string violation_kernel;
  std::uint64_t violation_root = 0;
};

/// Memory: see LocalGraph, BreadthFirst, ShortestPaths, Validation; what does not fit the budget of a rank
/// throws MemoryLimitError at that rank, which has to end the job. Threads: environment.threads per rank.
Result run(core::Environment& environment, mpi::Communicator& communicator, const Options& options);

}  // namespace emgraph::graph::graph500::distributed
