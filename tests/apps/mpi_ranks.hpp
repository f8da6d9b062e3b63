// SPDX-License-Identifier: MIT
// The program as several processes of an MPI job.
#pragma once

#include <filesystem>
#include <string>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

inline const std::string mpi_launcher = EMGRAPH_MPI_LAUNCHER;

/// A shell line that runs `arguments` as `ranks` processes. Open MPI refuses root and more processes than
/// cores unless it is told otherwise; MPICH takes no notice. What libmpi does not free is no leak of emgraph.
inline std::string as_ranks(unsigned ranks, const std::string& arguments) {
  return "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
         "OMPI_MCA_rmaps_base_oversubscribe=1 "
         "OMPI_MCA_mpi_yield_when_idle=1 ASAN_OPTIONS=detect_leaks=0 TMPDIR=\"$PWD\"\n'" +
         mpi_launcher + "' -n " + std::to_string(ranks) + " \"" + tested_program() + "\" " + arguments;
}

/// Skips the case where there is no MPI.
inline bool mpi_is_missing() {
  if (!mpi_launcher.empty() && std::filesystem::exists(mpi_launcher)) return false;
  skip("the program was built without MPI, or its mpiexec is gone");
  return true;
}

}  // namespace emgraph::tests
