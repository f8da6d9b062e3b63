// SPDX-License-Identifier: MIT
// Metadata as text and back.
#include "graph/format/table/metadata.hpp"

#include <algorithm>

namespace emgraph::graph::format {

std::string metadata_text(const Metadata& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata) {
    std::string line = key + '=' + value;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
    text += line + '\n';
  }
  return text;
}

Metadata parse_metadata(const std::string& text) {
  Metadata metadata;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t equals = std::min(line.find('='), line.size());
    metadata.emplace_back(line.substr(0, equals), equals < line.size() ? line.substr(equals + 1) : "");
    at = end + 1;
  }
  return metadata;
}

}  // namespace emgraph::graph::format
