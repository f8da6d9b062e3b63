// SPDX-License-Identifier: MIT
// Rehearses a command: runs it up to its first edge, to know what it would need. `plan` prints that. Progress
// displays foresee phases by it, and errors name the least -M: foreseen_phases(), least_memory() in
// run/plan.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/command_line/options.hpp"
#include "apps/run/plan.hpp"

namespace emgraph::apps {

/// A plan, and the memory that its run would take.
struct Planned {
  Plan plan;
  std::uint64_t memory_bytes = 0;
  std::uint64_t limit_bytes = 0;
  unsigned threads = 1;
  std::string
      relabel;  ///< how --relabel or --labels would number nodes; empty: they would not, or it is not known
};

/// Rehearses a command. `options`: after prepare_rehearsal().
Planned plan_with(PlannedCommand& command, const CommonOptions& options);
void prepare_rehearsal(CommonOptions& options);

/// If the number of nodes is an estimate: raises what is said to be at most to what as many nodes as there
/// can be take.
void bound_for_most_nodes(PlannedCommand& command, CommonOptions options, Planned& planned);

/// A memory limit with which the command would run in another model.
struct OtherModel {
  std::uint64_t memory_bytes = 0;
  graph::ModelChoice choice;
};

/// The least limit, up to a sixteenth, between one and 64 times the present one (at most 1 TiB).
std::optional<OtherModel> next_model(PlannedCommand& command, CommonOptions options, const Planned& now);

}  // namespace emgraph::apps
