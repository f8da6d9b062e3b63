// SPDX-License-Identifier: MIT
// --weights of commands that need weights: those of the edges, or made up.
#pragma once

#include <string>

#include "apps/command_line/option_set.hpp"
#include "apps/files/edge_input.hpp"
#include "graph/edge_facts.hpp"
#include "graph/weighting.hpp"

namespace emgraph::apps {

void declare_weighting(OptionSet& options, std::string& typed);

/// Parses "" (stored weights), "hash", "hash:W", "unit". Throws UsageError.
graph::Weighting parse_weighting(const std::string& typed);

/// What edges are read with: their weights, unless these are computed.
Carry carried(const graph::Weighting& weighting);

/// Throws UsageError if edges of this layout have no weights and none are computed.
void require_weights(const graph::EdgeFacts& facts, const graph::Weighting& weighting);

/// The same for a command that computes none.
void require_stored_weights(const graph::EdgeFacts& facts);

}  // namespace emgraph::apps
