// SPDX-License-Identifier: MIT
// Creates edge outputs from the options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/run/session.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::apps {

/// All checks of the output that are possible before any work, except the comparison with other outputs
/// (check_outputs_differ). `codec` is --codec, "" if not given. Throws as check_output, and UsageError for
/// unknown formats and codecs and for a codec that the format does not have.
void check_edge_output(const CommonOptions& options, const std::string& path,
                       const std::vector<std::string>& inputs, const std::string& codec);

/// The format of an output. Throws UsageError as check_edge_output.
const graph::format::Format& edge_output_format(const CommonOptions& options, const std::string& path);
/// Whether an output stores weights.
bool stores_weights(const CommonOptions& options, const std::string& path);

/// The width of text ids with which with_edges starts when edges are written to -o while they are read: 8
/// bytes if the output is text written in place, because a wide id found late would require to write it
/// twice; else 0.
std::size_t first_id_bytes(const CommonOptions& options);

/// Prints a line if edges with these facts have weights and the format of the output has none.
/// create_edge_output calls it.
void note_weights_left_out(Session& session, const std::string& path, const graph::EdgeFacts& facts);

/// Warns if the edges have a payload: only emgraph's own files store it.
void note_payload_left_out(Session& session, const std::string& path, const graph::EdgeFacts& facts);

/// The format is that of --output-format for -o, and that of the extension for other outputs. Writes `facts`
/// as the declared ones. `column_names`: what --output-header calls the columns; the last one is the
/// weight's.
std::unique_ptr<graph::format::EdgeWriter> create_edge_output(
    Session& session, const std::string& path, const graph::EdgeFacts& facts, const std::string& codec,
    graph::format::Metadata metadata, std::vector<std::string> column_names = {"source", "target", "weight"});

/// Completes the output in a separate phase, because flushing and syncing take time.
void finish_edge_output(Session& session, graph::format::EdgeWriter& writer);

}  // namespace emgraph::apps
