// SPDX-License-Identifier: MIT
// Creates edge outputs from the options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// Checks the output before any work, except against other outputs (check_outputs_differ). `codec`: value of
/// --codec, "" if not given. Throws as check_output, and UsageError for unknown formats and codecs, and for a
/// codec that the format does not have.
void check_edge_output(const CommonOptions& options, const std::string& path,
                       const std::vector<std::string>& inputs, const std::string& codec);

/// The edges that the format of the output can store. Throws UsageError as check_edge_output.
graph::format::WantedEdges wanted_edges(const CommonOptions& options, const std::string& path);

/// The initial width of ids from text (with_edges), for commands that copy edges to -o: 8 bytes for lines
/// that are written in place, because a wide id found later would make the command write them again; else 0.
std::size_t first_id_bytes(const CommonOptions& options);

/// --output-format is for -o only; the format of another output follows from its extension. Writes all
/// declared facts that the user has not forbidden.
std::unique_ptr<graph::format::EdgeWriter> create_edge_output(Session& session, const std::string& path,
                                                              const graph::EdgeFacts& facts,
                                                              const std::string& codec,
                                                              graph::format::Metadata metadata);

/// Completes the output in a separate phase, because flushing and syncing can take long.
void finish_edge_output(Session& session, graph::format::EdgeWriter& writer);

}  // namespace emgraph::apps
