// SPDX-License-Identifier: MIT
// Whether an MPI launcher has started this process, as the environment says before MPI is initialised.
#pragma once

#include <optional>
#include <string>

namespace emgraph::graph::mpi {

/// The place of this process in its job. Open MPI sets OMPI_COMM_WORLD_*, MPICH's Hydra and others PMI_*.
struct Launch {
  unsigned rank = 0;
  unsigned ranks = 1;
  unsigned ranks_on_host = 1;  ///< `ranks` where the launcher does not say
};

/// `variable` gives the value of an environment variable, or a null pointer.
std::optional<Launch> find_launch(const char* (*variable)(const char* name));

/// The launch of this process; nothing where no launcher's variables are set.
std::optional<Launch> launch_of_this_process();

}  // namespace emgraph::graph::mpi
