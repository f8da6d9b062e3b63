// SPDX-License-Identifier: MIT
// graph500 as one of many processes that an MPI launcher has started.
#pragma once

#include <string>

#include "apps/command_line/options.hpp"
#include "apps/run/exit_code.hpp"
#include "graph/graph500/benchmark.hpp"

namespace emgraph::apps {

/// What all ranks of a job are asked for, alike.
struct RankedGraph500 {
  graph::graph500::Options benchmark;
  std::string csv;   ///< file for a row per search; empty: none
  std::string plot;  ///< file for a page with plots; empty: none
  CommonOptions common;
};

/// True if an MPI launcher has started this process.
bool started_by_mpi();

/// Runs the benchmark as a rank; rank 0 prints. -M and -j count for each rank; without them the ranks of a
/// host share what it has. A rank that fails prints "rank R: MESSAGE" and ends the job with its exit code.
/// Throws UsageError: options that a job does not have; the program was built without MPI.
ExitCode run_graph500_rank(const RankedGraph500& job);

}  // namespace emgraph::apps
