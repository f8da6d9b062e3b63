// SPDX-License-Identifier: MIT
// This process as a rank of an MPI job: initialised, finalised, aborted.
#pragma once

#include <memory>
#include <string>

#include "graph/mpi/communicator.hpp"

namespace emgraph::graph::mpi {

/// "Open MPI 4.1.4" or "MPICH 4.0.2" for example; empty for a program that was built without MPI.
std::string library_name();

/// Initialises MPI on construction and finalises it on destruction. Requires: one at a time, not after
/// another one. Threads: MPI is called by the thread that made the process.
class Process {
 public:
  /// Throws UsageError in a program that was built without MPI.
  Process();
  Process(const Process&) = delete;
  ~Process();

  Communicator& communicator() { return *communicator_; }
  /// Ends all ranks of the job; the launcher's exit code is `code`. A rank that fails calls it, because the
  /// others wait for its messages. Does not return.
  [[noreturn]] void end_job(int code);

 private:
  std::unique_ptr<Communicator> communicator_;
};

}  // namespace emgraph::graph::mpi
