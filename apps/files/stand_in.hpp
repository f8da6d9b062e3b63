// SPDX-License-Identifier: MIT
// Foresees the phases of a run whose input only the run opens: pipes, new ids and labels, filters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/command_line/inputs.hpp"
#include "apps/files/edge_estimate.hpp"
#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// An input without edges that has the facts of CommonOptions::stand_in.
std::unique_ptr<graph::format::EdgeInput> open_stand_in(const StandIn& stand_in);

/// The size of a stand-in: as its facts say, else a guess.
EdgeEstimate stand_in_estimate(const graph::EdgeFacts& facts);

/// Whether foresee_phases() has an effect: progress is shown, and the phases were not known from the start.
bool foresees_phases(const Session& session);

/// Tells the display the phases to come: `before`, then those of the command with edges of these facts, then
/// those that write names.
void foresee_phases(Session& session, const std::vector<std::string>& before, StandIn input);

/// The same before the labels of the inputs are read.
void foresee_labels(Session& session, const Inputs& inputs, graph::WeightType weight);

}  // namespace emgraph::apps
