// SPDX-License-Identifier: MIT
// The share of a rank, and how it ends a job that cannot go on.
#include "apps/run/ranks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "apps/run/machine.hpp"
#include "apps/run/printable.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "graph/mpi/launcher.hpp"
#include "graph/mpi/process.hpp"

namespace emgraph::apps {
namespace {

namespace mpi = graph::mpi;

/// -M and -j of a rank where they are not given in bytes and threads: its part of the memory and of the
/// cores.
CommonOptions share_of_host(CommonOptions options, const mpi::Launch& launch) {
  const unsigned sharers = std::max(1u, launch.ranks_on_host);
  if (!options.memory_bytes && sharers > 1) {
    const std::uint64_t available = available_memory_bytes();
    const std::uint64_t of_all =
        options.memory_percent ? available / 100 * *options.memory_percent : default_memory_bytes(available);
    options.memory_bytes = std::max(least_memory_bytes, of_all / sharers);
  }
  if (!options.threads) options.threads = std::max(1u, available_cores() / sharers);
  options.one_of_ranks = launch.ranks > 1;
  if (launch.rank != 0) options.progress = ProgressWhen::never;
  return options;
}

}  // namespace

bool started_by_mpi() {
  return mpi::launch_of_this_process().has_value();
}

bool one_of_several_ranks() {
  const auto launch = mpi::launch_of_this_process();
  return launch && launch->ranks > 1;
}

ExitCode run_as_rank(const std::string& command, const CommonOptions& options, const RankWork& work) {
  const mpi::Launch launch = mpi::launch_of_this_process().value_or(mpi::Launch{});
  mpi::Process process;
  Communicator& communicator = process.communicator();
  ExitCode code = ExitCode::done;
  try {
    if (communicator.ranks() != launch.ranks) {
      throw core::UsageError(
          fmt::format("the launcher has started {} processes, but {} sees {}: start them with its own mpirun",
                      launch.ranks, mpi::library_name(), communicator.ranks()));
    }
    if (!options.checkpoint.empty()) {
      throw core::UsageError("--checkpoint keeps the state of one process; this job has several");
    }
    if (!options.trace.empty()) throw core::UsageError("--trace is of one process; this job has several");
    code = work(share_of_host(options, launch), communicator);
  } catch (...) {
    // The other ranks wait for this one: the job cannot go on.
    const Failure failure = describe_current_exception();
    code = failure.code;
    if (!failure.message.empty()) {
      fmt::print(stderr, "emgraph {}: rank {}: {}\n", command, communicator.rank(),
                 printable(failure.message));
    }
    std::fflush(stderr);
    process.end_job(static_cast<int>(code));
  }
  return code;
}

}  // namespace emgraph::apps
