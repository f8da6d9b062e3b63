// SPDX-License-Identifier: MIT
// graph500 as one of many processes that an MPI launcher has started.
#pragma once

#include <cstdint>
#include <string>

#include "apps/command_line/options.hpp"
#include "apps/run/exit_code.hpp"

namespace emgraph::apps {

/// What all ranks of a job are asked for, alike.
struct RankedGraph500 {
  unsigned scale = 0;
  std::uint64_t edge_factor = 16;
  std::uint64_t roots = 64;
  bool bfs = true;
  bool sssp = true;
  std::string csv;  ///< file for a row per search; empty: none
  CommonOptions common;
};

/// True if an MPI launcher has started this process.
bool started_by_mpi();

/// Runs the benchmark as a rank; rank 0 prints. -M and -j count for each rank; without them the ranks of a
/// host share what it has. A rank that fails prints "rank R: MESSAGE" and ends the job with its exit code.
/// Throws UsageError if the program was built without MPI.
ExitCode run_ranked_graph500(const RankedGraph500& job);

}  // namespace emgraph::apps
