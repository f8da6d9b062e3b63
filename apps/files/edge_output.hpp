// SPDX-License-Identifier: MIT
// Creates an edge output by the options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// All checks of the output that are possible before any work, except the comparison with other outputs
/// (check_outputs_differ). `codec` is --codec, "" if not given. Throws as check_output, and UsageError for
/// unknown formats and codecs and for a codec that the format does not have.
void check_edge_output(const CommonOptions& options, const std::string& path,
                       const std::vector<std::string>& inputs, const std::string& codec);

/// What the format of the output can store. Throws UsageError as check_edge_output.
graph::format::WantedEdges wanted_edges(const CommonOptions& options, const std::string& path);

/// The width of ids of text that with_edges starts with when edges go to -o as they come: 8 bytes for lines
/// that are written in place, because a wide id that is found late would have them written twice; else 0.
std::size_t first_id_bytes(const CommonOptions& options);

/// The format is that of --output-format for -o, and that of the extension for other outputs. Writes `facts`
/// as the declared ones.
std::unique_ptr<graph::format::EdgeWriter> create_edge_output(Session& session, const std::string& path,
                                                              const graph::EdgeFacts& facts,
                                                              const std::string& codec,
                                                              graph::format::Metadata metadata);

/// Completes the output as a phase of its own: flushing and syncing take time.
void finish_edge_output(Session& session, graph::format::EdgeWriter& writer);

}  // namespace emgraph::apps
