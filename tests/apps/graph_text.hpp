// SPDX-License-Identifier: MIT
// Small graphs as text and bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

using Edges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Edges of text whose lines begin with two numbers.
inline Edges text_edges(const std::string& text) {
  Edges edges;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::uint64_t source = 0;
    std::uint64_t target = 0;
    if (words >> source >> target) edges.emplace_back(source, target);
  }
  return edges;
}

inline std::vector<std::uint64_t> text_ids(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 0; words >> id;) ids.push_back(id);
  return ids;
}

/// For oracles.
inline std::vector<graph::Edge64> edge_list(const Edges& edges) {
  std::vector<graph::Edge64> list;
  for (const auto& [source, target] : edges) list.push_back({source, target});
  return list;
}

/// The edges of lines "node neighbour neighbour …" as text; `once`: those to larger neighbours.
inline std::string edges_of_neighbours(const std::string& text, bool once = false) {
  std::istringstream lines(text);
  std::string edges;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream nodes(line);
    std::uint64_t node = 0;
    nodes >> node;
    for (std::uint64_t other = 0; nodes >> other;) {
      if (!once || node < other) edges += std::to_string(node) + " " + std::to_string(other) + "\n";
    }
  }
  return edges;
}

/// Little-endian bytes of raw u32 values.
inline std::string raw_u32(const std::vector<std::uint32_t>& values) {
  std::string bytes(values.size() * 4, '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Ids of a version-1 .npy file with one axis of <u4 or <u8.
inline std::vector<std::uint64_t> npy_ids(const std::string& bytes) {
  std::uint16_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data() + 8, 2);
  const std::size_t width = bytes.find("<u8") < header_bytes ? 8 : 4;
  std::vector<std::uint64_t> ids((bytes.size() - 10 - header_bytes) / width);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::memcpy(&ids[i], bytes.data() + 10 + header_bytes + i * width, width);
  }
  return ids;
}

}  // namespace emgraph::tests
