// SPDX-License-Identifier: MIT
// Other ids for an edge input: 0 … n - 1 by --relabel, the original ones by the map that it wrote.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/session.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "graph/format/open.hpp"

namespace emgraph::apps {

/// Does nothing without --relabel, unless the original ids are to be given back. Returns the writer of --map,
/// if that is given: to be finished when the command's own results are. Throws UsageError (the map cannot be
/// written), DataError, EnvironmentError.
std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> relabel_input(Session& session,
                                                                        const std::string& input,
                                                                        graph::format::EdgeInput& edges);

/// CommonOptions::asked_ids as nodes of the input: as they are, or the numbers that --relabel gave them.
/// `option` named them. Throws UsageError for an id that no edge has. To be called in the work of with_edges.
std::vector<std::uint64_t> asked_nodes(const Session& session, const std::string& option,
                                       const std::string& input);

/// The original ids, from the start.
std::unique_ptr<graph::format::NodeReader> open_original_ids(Session& session);

/// The same edges with the original ids.
std::shared_ptr<graph::format::RecordSource> restore_ids(Session& session,
                                                         std::shared_ptr<graph::format::RecordSource> source,
                                                         const graph::EdgeFacts& facts);

}  // namespace emgraph::apps
