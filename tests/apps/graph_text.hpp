// SPDX-License-Identifier: MIT
// Small graphs as text and bytes, and the slow answers to compare with.
#pragma once

#include <cstdint>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

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

/// The lexicographically first independent set by its definition. Slow on purpose.
inline std::vector<std::uint64_t> first_independent_set(std::uint64_t nodes, const Edges& edges) {
  std::vector<std::set<std::uint64_t>> smaller(nodes);
  for (auto [a, b] : edges) {
    if (a != b) smaller[std::max(a, b)].insert(std::min(a, b));
  }
  std::vector<bool> chosen(nodes);
  std::vector<std::uint64_t> ids;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    bool free = true;
    for (std::uint64_t neighbour : smaller[node]) free = free && !chosen[neighbour];
    chosen[node] = free;
    if (free) ids.push_back(node);
  }
  return ids;
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
