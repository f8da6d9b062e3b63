// SPDX-License-Identifier: MIT
// Looks at the first bytes.
#include "apps/files/node_input.hpp"

#include "core/io/input_file.hpp"

namespace emgraph::apps {

std::optional<graph::format::NpyHeader> node_result_header(Session& session, const std::string& input) {
  if (input.starts_with("gen:") || !session.options().input_format.empty()) return std::nullopt;
  core::InputFile file(input, session.environment().io);
  if (!file.seekable() || !graph::format::is_npy(file.peek(sizeof graph::format::npy_magic)))
    return std::nullopt;
  graph::format::NpyHeader header = graph::format::read_npy_header(file);
  if (header.shape.size() != 1) return std::nullopt;
  return header;
}

}  // namespace emgraph::apps
