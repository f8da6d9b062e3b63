// SPDX-License-Identifier: MIT
// Metadata of a file (how it was made): ordered keys and values, and their form as text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace emgraph::graph::format {

inline constexpr std::size_t max_metadata_bytes = std::size_t{1} << 20;

/// Keys without '=' and line breaks; line breaks in values become spaces when written.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Lines "key=value".
inline std::string metadata_text(const Metadata& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata) {
    std::string line = key + '=' + value;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
    text += line + '\n';
  }
  return text;
}

inline Metadata parse_metadata(const std::string& text) {
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
