// SPDX-License-Identifier: MIT
// Options to relabel::Options, and the file of the map.
#include "apps/relabelled_input.hpp"

#include "apps/output_check.hpp"
#include "graph/format/extension.hpp"
#include "graph/relabel/relabel.hpp"

namespace emgraph::apps {

std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> relabel_input(Session& session,
                                                                        const std::string& input,
                                                                        graph::format::EdgeInput& edges) {
  const CommonOptions& options = session.options();
  if (!options.relabel) return nullptr;
  core::Environment& environment = session.environment();
  std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> map;
  if (!options.map.empty()) {
    const std::string extension = graph::format::extension_of(options.map);
    check_map_output({input}, options, extension != "tsv" && extension != "txt");
    map = graph::format::open_node_writer<std::uint64_t>(environment, options.map,
                                                         {.overwrite = overwrite(options), .dense = true});
  }
  const graph::relabel::Relabelled relabelled = graph::relabel::relabel(
      environment, edges.release(), edges.facts(), {.max_lanes = environment.threads}, map.get());
  session.set_relabelling(
      {.method = std::string(graph::relabel::name(relabelled.method)), .reason = relabelled.reason});
  edges.replace(relabelled.source);
  return map;
}

}  // namespace emgraph::apps
