// SPDX-License-Identifier: MIT
// --directed and --undirected of commands that otherwise follow what the file declares.
#pragma once

#include <string>
#include <string_view>

#include "apps/command_line/option_set.hpp"
#include "apps/run/session.hpp"
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

/// `both_ways` of warn_of_one_way for commands with --directed.
inline constexpr std::string_view without_directed = "without --directed they count both ways; ";
/// For commands that follow edges from source to target: warns of undirected edges that are stored once.
/// `both_ways`: how the command counts both ways; "" if it cannot.
void warn_of_one_way(Session& session, const graph::EdgeFacts& facts, std::string_view both_ways);

}  // namespace emgraph::apps
