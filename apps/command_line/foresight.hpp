// SPDX-License-Identifier: MIT
// The phases that a run will go through, for its progress display.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/memory/budget.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::apps {

/// Stands for an input in a forecast, which then opens no file.
struct StandIn {
  graph::EdgeFacts facts;
  bool rewindable = false;
  bool quick_to_reread = false;
  std::uint64_t memory_bytes = 0;  ///< that the run has left
  /// Takes the memory of a lane; null: a lane takes none.
  std::function<core::Reservation()> lane_memory = {};
};

/// Set by the command line before a run.
struct Foresight {
  /// Known before the input is opened; empty: not known.
  std::vector<std::string> phases;
  /// Foresees the phases of the command with this input; returns none if it cannot. Null: progress is not
  /// shown, or the command has no plan.
  std::function<std::vector<std::string>(const StandIn&)> with;
};

}  // namespace emgraph::apps
