// SPDX-License-Identifier: MIT
// Options to CreateOptions.
#include "apps/edge_output.hpp"

#include <fmt/core.h>

#include "apps/output_check.hpp"
#include "core/base/error.hpp"
#include "graph/format/detect.hpp"
#include "graph/format/extension.hpp"

namespace emgraph::apps {

namespace {

/// The name of the format as far as it matters here: is it emg, is it text?
std::string output_format(const CommonOptions& options, const std::string& path) {
  if (path == options.output && !options.output_format.empty()) {
    return graph::format::known_format(options.output_format);
  }
  const std::string extension = graph::format::extension_of(path);
  try {
    return graph::format::known_format(extension);
  } catch (const core::UsageError&) {
    return "emg";  // or refused when it is created
  }
}

}  // namespace

bool is_adjacency_output(const CommonOptions& options, const std::string& path) {
  return output_format(options, path) == "adj";
}

void check_edge_output(const CommonOptions& options, const std::string& path,
                       const std::vector<std::string>& others, const std::string& codec) {
  const std::string format = output_format(options, path);
  if (!codec.empty()) {
    try {
      core::parse_codec(codec);
    } catch (const core::UsageError& error) {
      throw core::UsageError(fmt::format("--codec: {}", error.what()));
    }
    if (format != "emg") {
      throw core::UsageError(
          fmt::format("--codec {}: only emgraph's own files have codecs, not {}", codec, format));
    }
  }
  check_output(path, others, options, !format.starts_with("text"));
}

std::unique_ptr<graph::format::EdgeWriter> create_edge_output(Session& session, const std::string& path,
                                                              const graph::EdgeFacts& facts,
                                                              const std::string& codec,
                                                              graph::format::Metadata metadata) {
  const CommonOptions& options = session.options();
  graph::format::CreateOptions create;
  if (path == options.output && !options.output_format.empty()) create.format = options.output_format;
  if (!codec.empty()) create.codec = core::parse_codec(codec);
  create.overwrite = overwrite(options);
  create.metadata = std::move(metadata);
  return graph::format::create_edges(session.environment(), path, facts, create);
}

void finish_edge_output(Session& session, graph::format::EdgeWriter& writer) {
  const core::Phase phase(session.environment().progress, "finish output", 0, "bytes");
  writer.finish();
}

}  // namespace emgraph::apps
