// SPDX-License-Identifier: MIT
// Replaces the ids of an edge input: by 0 … n - 1 with --relabel or --labels, by original ids with a map.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/command_line/inputs.hpp"
#include "apps/run/session.hpp"
#include "graph/format/nodes/label_map.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// The output of --map, if it is given. It is finished after the command's own results.
struct IdMap {
  std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> ids;
  std::unique_ptr<graph::format::LabelWriter> labels;

  /// Completes the map in a separate phase.
  void finish(Session& session);
};

/// Creates the map of --map with --relabel, if it is given. Throws as relabel_input.
void open_id_map(Session& session, IdMap& map);

/// Renumbers with --relabel; gives the original ids back if the options name a map of them. Throws UsageError
/// (the map cannot be written), DataError, EnvironmentError.
void relabel_input(Session& session, const Inputs& inputs, graph::format::EdgeInput& edges, IdMap& map);

/// Numbers the labels of a text with --labels. Throws as relabel_input, and UsageError (the input is not a
/// text edge list).
std::unique_ptr<graph::format::EdgeInput> number_labels(Session& session, const Inputs& inputs,
                                                        const graph::format::OpenOptions& open, IdMap& map);

/// Stores the nodes that the user named: labels with --labels, else ids. Throws UsageError (not a number).
void ask_for(CommonOptions& options, const std::string& option, const std::vector<std::string>& typed);

/// The nodes of ask_for() as nodes of the input: the ids themselves, or the numbers that --relabel or
/// --labels gave them. `option`: the option that named them, for messages. Throws UsageError for ids and
/// labels that no edge has. Call it in the work of with_edges.
std::vector<std::uint64_t> asked_nodes(const Session& session, const std::string& option,
                                       const std::string& input);

/// Opens the map of original ids at its start.
std::unique_ptr<graph::format::NodeReader> open_original_ids(Session& session);

/// The edges with their original ids.
std::shared_ptr<graph::format::RecordSource> restore_ids(Session& session,
                                                         std::shared_ptr<graph::format::RecordSource> source,
                                                         const graph::EdgeFacts& facts);

}  // namespace emgraph::apps
