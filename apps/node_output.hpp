// SPDX-License-Identifier: MIT
// Creates the output of a node result by the options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/session.hpp"
#include "graph/format/node_writer.hpp"

namespace emgraph::apps {

/// Everything that can be said against the output before any work. Throws as check_output.
void check_node_output(const CommonOptions& options, const std::vector<std::string>& inputs);

/// npy, tsv or bin: as told, else by extension, else (also on standard output) npy. The count in the head of
/// an .npy file is known only at the end: on a pipe all ids come then (format/node_writer.hpp).
std::string node_format(const CommonOptions& options);

/// The file of -o for a list of ids.
template <class Id>
std::unique_ptr<graph::format::NodeWriter<Id>> create_node_list(Session& session);

/// Completes the output as a phase of its own.
template <class Id>
void finish_node_list(Session& session, graph::format::NodeWriter<Id>& writer) {
  const core::Phase phase(session.environment().progress, "finish output", 0, "bytes");
  writer.finish();
}

}  // namespace emgraph::apps
