// SPDX-License-Identifier: MIT
// The option --weights of commands on weighted graphs.
#pragma once

#include <string>

#include "apps/command_line/option_set.hpp"
#include "graph/mst/weighting.hpp"

namespace emgraph::apps {

/// Declares --weights; parsing stores text.
void declare_weighting(OptionSet& options, std::string& typed);

/// "" (the edges' own), "hash", "hash:W", "unit". Throws UsageError.
graph::mst::Weighting parse_weighting(const std::string& typed);

/// Throws UsageError if edges of this layout have no weights and none are made up.
void require_weights(const graph::EdgeFacts& facts, const graph::mst::Weighting& weighting);

}  // namespace emgraph::apps
