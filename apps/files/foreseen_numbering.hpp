// SPDX-License-Identifier: MIT
// Stands for an input with --relabel or --labels in a plan, which does not read all edges to number their
// nodes.
#pragma once

#include <memory>

#include "apps/command_line/inputs.hpp"
#include "apps/files/relabelled_input.hpp"
#include "apps/run/session.hpp"
#include "graph/forecast.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// An input without edges that has the facts of the numbered one, with an estimated number of nodes
/// (graph/prepare/relabel/forecast.hpp). Leaves the forecast in the session, and takes the memory of the run.
/// `edges`: the input, at its first edge. `map` takes its memory. I/O: a sample of the edges.
std::unique_ptr<graph::format::EdgeInput> foresee_relabelling(Session& session, const Inputs& inputs,
                                                              graph::format::EdgeInput& edges, IdMap& map);

/// The same for labels. Throws as number_labels before the first edge, too.
std::unique_ptr<graph::format::EdgeInput> foresee_numbered_labels(Session& session, const Inputs& inputs,
                                                                  const graph::format::OpenOptions& open);

/// Adds to the forecast of a solver what numbering takes before and beside it. No effect without a foreseen
/// numbering.
void add_numbering(const Session& session, graph::Forecast& forecast);

}  // namespace emgraph::apps
