// SPDX-License-Identifier: MIT
// Options to those of graph/prepare/relabel, and the file of the map.
#include "apps/relabelled_input.hpp"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "apps/output_check.hpp"
#include "core/base/error.hpp"
#include "graph/format/extension.hpp"
#include "graph/prepare/relabel/original_ids.hpp"
#include "graph/prepare/relabel/relabel.hpp"

namespace emgraph::apps {

std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> relabel_input(Session& session,
                                                                        const std::string& input,
                                                                        graph::format::EdgeInput& edges) {
  const CommonOptions& options = session.options();
  if (!options.original_ids.empty()) edges.replace(restore_ids(session, edges.release(), edges.facts()));
  if (!options.relabel) return nullptr;
  core::Environment& environment = session.environment();
  std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> map;
  if (!options.map.empty()) {
    const std::string extension = graph::format::extension_of(options.map);
    check_map_output({input}, options, extension != "tsv" && extension != "txt");
    map = graph::format::open_node_writer<std::uint64_t>(environment, options.map,
                                                         {.overwrite = overwrite(options), .dense = true});
  }
  const graph::relabel::Relabelled relabelled =
      graph::relabel::relabel(environment, edges.release(), edges.facts(),
                              {.max_lanes = environment.threads, .asked = options.asked_ids}, map.get());
  session.set_relabelling({.method = std::string(graph::relabel::name(relabelled.method)),
                           .reason = relabelled.reason,
                           .numbers = relabelled.numbers});
  edges.replace(relabelled.source);
  return map;
}

std::vector<std::uint64_t> asked_nodes(const Session& session, const std::string& option,
                                       const std::string& input) {
  std::vector<std::uint64_t> nodes = session.options().asked_ids;
  if (!session.relabelling()) return nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::optional<std::uint64_t>& number = session.relabelling()->numbers[i];
    if (!number)
      throw core::UsageError(fmt::format("{} {}: no edge of {} has this id", option, nodes[i], input));
    nodes[i] = *number;
  }
  return nodes;
}

std::unique_ptr<graph::format::NodeReader> open_original_ids(Session& session) {
  return graph::format::open_node_reader(session.environment(), session.options().original_ids,
                                         {.bin_value_bytes = 8});
}

std::shared_ptr<graph::format::RecordSource> restore_ids(Session& session,
                                                         std::shared_ptr<graph::format::RecordSource> source,
                                                         const graph::EdgeFacts& facts) {
  core::Environment& environment = session.environment();
  return graph::relabel::restore(environment, std::move(source), facts,
                                 [&session] { return open_original_ids(session); },
                                 session.options().original_ids, {.max_lanes = environment.threads});
}

}  // namespace emgraph::apps
