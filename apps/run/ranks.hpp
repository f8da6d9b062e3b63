// SPDX-License-Identifier: MIT
// A command as one of many processes that an MPI launcher has started.
#pragma once

#include <functional>
#include <string>

#include "apps/command_line/options.hpp"
#include "apps/run/exit_code.hpp"
#include "graph/mpi/communicator.hpp"

namespace emgraph::apps {

using Communicator = graph::mpi::Communicator;

/// True if an MPI launcher has started this process.
bool started_by_mpi();
/// True if an MPI launcher has started this process and at least one other.
bool one_of_several_ranks();

/// Work of a rank. The options are those of its share of the host.
using RankWork = std::function<ExitCode(const CommonOptions&, Communicator&)>;

/// Calls `work` as a rank. -M and -j count for each rank; without them the ranks of a host share what it has.
/// A rank that fails prints "emgraph COMMAND: rank R: MESSAGE" and ends the job with its exit code. Throws
/// UsageError: the program was built without MPI.
ExitCode run_as_rank(const std::string& command, const CommonOptions& options, const RankWork& work);

}  // namespace emgraph::apps
