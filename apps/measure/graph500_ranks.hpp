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

/// Runs the benchmark as a rank; rank 0 prints. Throws UsageError: options that a
/// job does not have; as run_as_rank (run/ranks.hpp).
ExitCode run_graph500_rank(const RankedGraph500& job);

}  // namespace emgraph::apps
