// SPDX-License-Identifier: MIT
// Direction by option, else by the file.
#include "apps/files/direction_option.hpp"

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace emgraph::apps {

void declare_direction(OptionSet& options, DirectionOption& option) {
  options.flag("--directed", option.directed, "arcs lead from source to target only");
  options.flag(
      "--undirected", option.undirected,
      "an edge counts for both ends. Without either: as the file declares (.gr, .wsg and containers of "
      "directed graphs are directed, other edges undirected)");
}

Direction resolve_direction(const DirectionOption& option, const graph::EdgeFacts& facts) {
  if (option.directed && option.undirected)
    throw core::UsageError("--directed and --undirected exclude each other");
  if (option.directed || option.undirected) return {option.directed, "as asked"};
  return {facts.directed,
          facts.directed ? "the file declares it" : "the file does not declare directed edges"};
}

void warn_of_one_way(Session& session, const graph::EdgeFacts& facts, std::string_view both_ways) {
  if (!graph::stored_one_way(facts)) return;
  session.warn_once(
      fmt::format("{}: undirected edges, each stored once, are followed from source to target only: "
                  "{}emgraph sort --symmetrize writes both ways",
                  facts.name, both_ways));
}

}  // namespace emgraph::apps
