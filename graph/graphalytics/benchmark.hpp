// SPDX-License-Identifier: MIT
// Runs the algorithms of LDBC Graphalytics on a data set and validates their results.
//
// Source: Iosup et al. (2016), "LDBC Graphalytics: a benchmark for large-scale graph analysis on parallel and
// distributed platforms", doi 10.14778/3007263.3007270; specification 1.0, arXiv 2011.15028.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/graphalytics/data_set.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::graphalytics {

enum class Outcome { passed, failed, no_reference };

constexpr std::string_view name(Outcome outcome) {
  return outcome == Outcome::passed   ? "passed"
         : outcome == Outcome::failed ? "failed"
                                      : "no reference output";
}

/// One algorithm. The makespan is the time from the loaded graph to the complete result; the processing time
/// is the makespan without the opening of the graph and the end of the result.
struct Job {
  Algorithm algorithm = Algorithm::bfs;
  double makespan_seconds = 0;
  double processing_seconds = 0;
  ModelChoice choice;
  Outcome outcome = Outcome::no_reference;
  std::string violation;  ///< if it failed
};

struct Options {
  MemoryModel model = MemoryModel::automatic;
  /// The algorithms to run. Requires: the data set has them.
  std::vector<Algorithm> algorithms;
};

struct Result {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  double load_seconds = 0;  ///< from the files to the numbered edges
  std::vector<Job> jobs;

  /// Edges and vertices per second of processing.
  double evps(const Job& job) const {
    return static_cast<double>(vertices + edges) / std::max(job.processing_seconds, 1e-9);
  }
};

/// Every algorithm starts from the edges on the temporary disks and builds what it needs. I/O, memory,
/// threads: those of load(), of the solvers and of compare(). Throws what they throw.
Result run(core::Environment& environment, const DataSet& set, const Options& options);

}  // namespace emgraph::graph::graphalytics
