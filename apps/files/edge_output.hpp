// SPDX-License-Identifier: MIT
// Creates an edge output by the options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/run/session.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// Everything that can be said against the output before any work, but for the other
/// outputs (check_outputs_differ). `codec` is --codec, "" if not given. Throws as check_output, and
/// UsageError for unknown formats and codecs, or a codec the format does not have.
void check_edge_output(const CommonOptions& options, const std::string& path,
                       const std::vector<std::string>& inputs, const std::string& codec);

/// What the format of the output can store. Throws UsageError as check_edge_output.
graph::format::WantedEdges wanted_edges(const CommonOptions& options, const std::string& path);

/// How wide ids of text are to be read, to start with (with_edges), when edges go to -o as they come: 8 bytes
/// for lines that are written in place, as a late wide id would have them written twice; else 0.
std::size_t first_id_bytes(const CommonOptions& options);

/// --output-format is for -o alone; another output goes by its extension. Declared facts that the user has
/// not forbidden are written.
std::unique_ptr<graph::format::EdgeWriter> create_edge_output(Session& session, const std::string& path,
                                                              const graph::EdgeFacts& facts,
                                                              const std::string& codec,
                                                              graph::format::Metadata metadata);

/// Completes the output as a phase of its own: flushing and syncing can last.
void finish_edge_output(Session& session, graph::format::EdgeWriter& writer);

}  // namespace emgraph::apps
