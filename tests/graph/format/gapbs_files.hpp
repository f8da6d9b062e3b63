// SPDX-License-Identifier: MIT
// What the tests of serialized GAP graphs share: edges as they must come, and bytes as they must be.
#pragma once

#include <algorithm>

#include "graph/format/csr/gapbs.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

using R32 = Record<std::uint32_t, 0>;
using Weighted = Record<std::uint32_t, 8>;

inline EdgeFacts adjacency(bool directed, std::optional<std::uint64_t> nodes = std::nullopt,
                           WeightType weight = WeightType::none) {
  EdgeFacts facts;
  facts.layout.weight = weight;
  facts.nodes = nodes;
  facts.order = EdgeOrder::source_target;
  facts.unique = true;
  facts.no_loops = true;
  facts.directed = directed;
  facts.symmetric = !directed;
  return facts;
}

/// Sorted, unique, without loops; ids below `nodes`, sources below `sources` so that the last have none.
template <class R>
std::vector<R> adjacency_edges(std::uint32_t sources, std::uint32_t nodes, std::size_t count, bool directed) {
  std::mt19937_64 random(count + nodes);
  EdgeList pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<std::uint32_t>(random() % sources);
    const auto b = static_cast<std::uint32_t>(random() % (directed ? nodes : sources));
    if (a == b) continue;
    pairs.push_back({a, b});
    if (!directed) pairs.push_back({b, a});
  }
  sort_edges(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<R> edges;
  for (const auto& pair : pairs) {
    R edge{};
    const std::uint32_t source = edge.source = static_cast<std::uint32_t>(pair.source);
    const std::uint32_t target = edge.target = static_cast<std::uint32_t>(pair.target);
    if constexpr (R::attachment_bytes == 8) {
      const std::int64_t weight = static_cast<std::int64_t>(source * 31 + target * 7) - 50000;
      std::memcpy(edge.attachment.data(), &weight, sizeof(weight));
    }
    edges.push_back(edge);
  }
  return edges;
}

template <class T>
void put(std::string& file, const std::vector<T>& values) {
  file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

/// As the suite writes it, without its inverse part.
inline std::string sg_file(bool directed, std::int64_t edges, std::int64_t nodes,
                           const std::vector<std::int64_t>& offsets,
                           const std::vector<std::int32_t>& neighbours) {
  std::string file(1, directed ? '\1' : '\0');
  put<std::int64_t>(file, {edges, nodes});
  put(file, offsets);
  put(file, neighbours);
  return file;
}

/// 0 - 1, 0 - 2, and a node on its own.
inline std::string small_sg() {
  return sg_file(false, 4, 4, {0, 2, 3, 4, 4}, {1, 2, 0, 0});
}

inline std::vector<R32> small_edges() {
  return {{0, 1}, {0, 2}, {1, 0}, {2, 0}};
}

}  // namespace emgraph::tests
