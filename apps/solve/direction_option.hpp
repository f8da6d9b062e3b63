// SPDX-License-Identifier: MIT
// --directed and --undirected of commands that otherwise follow what the file declares.
#pragma once

#include <string>

#include "apps/command_line/option_set.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::apps {

struct DirectionOption {
  bool directed = false;
  bool undirected = false;
};

struct Direction {
  bool directed = false;
  std::string reason;
};

void declare_direction(OptionSet& options, DirectionOption& option);

/// Throws UsageError if both are given.
Direction resolve_direction(const DirectionOption& option, const graph::EdgeFacts& facts);

}  // namespace emgraph::apps
