// SPDX-License-Identifier: MIT
// Small graphs with weights of every type, and what the oracle says of them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "graph/sssp/distances.hpp"
#include "tests/oracle/shortest_paths.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::sssp_check {

using graph::WeightType;
inline constexpr WeightType weight_types[] = {WeightType::u32, WeightType::i64, WeightType::f32,
                                              WeightType::f64};

/// Arcs with the stored bits of their weights, zero-extended.
struct WeightedGraph {
  std::string name;
  std::uint64_t nodes = 0;
  WeightType type = WeightType::u32;
  std::vector<LengthArc> arcs;
};

inline std::uint64_t bits_of(WeightType type, double weight) {
  switch (type) {
    case WeightType::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(weight));
    case WeightType::f64:
      return std::bit_cast<std::uint64_t>(weight);
    default:
      return static_cast<std::uint64_t>(weight);
  }
}

/// Small weights with many ties and zeros, some large ones; floating ones that other sums absorb, and -0.0.
inline std::uint64_t random_weight_bits(WeightType type, std::mt19937_64& random) {
  const std::uint64_t dice = random() % 16;
  const auto small = static_cast<double>(random() % 5);
  const bool floating = graph::sssp::is_floating(type);
  if (dice == 0) return bits_of(type, type == WeightType::i64 ? 9e18 : 4294967295.0);
  if (dice == 1 && floating) return bits_of(type, -0.0);
  if (dice == 2 && floating) return bits_of(type, 1e-30);
  return bits_of(type, floating ? small / 10 : small);
}

inline WeightedGraph with_random_weights(const ZooGraph& graph, WeightType type, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  WeightedGraph weighted{graph.name, graph.nodes, type, {}};
  for (const graph::Edge64& edge : graph.edges) {
    weighted.arcs.push_back({edge.source, edge.target, random_weight_bits(type, random)});
  }
  return weighted;
}

/// The oracle's answer.
inline ShortestPaths answer(const WeightedGraph& graph, std::uint64_t root, bool directed) {
  std::vector<LengthArc> arcs = graph.arcs;
  for (LengthArc& arc : arcs) arc.length = graph::sssp::length_of(graph.type, arc.length);
  return shortest_paths(graph.nodes, std::move(arcs), root, directed, graph::sssp::is_floating(graph.type));
}

template <class R>
std::vector<R> weighted_records(const WeightedGraph& graph) {
  std::vector<R> records;
  for (const LengthArc& arc : graph.arcs) {
    R record{};
    record.source = static_cast<typename R::id_type>(arc.source);
    record.target = static_cast<typename R::id_type>(arc.target);
    if constexpr (R::attachment_bytes > 0) {
      for (std::byte& byte : record.attachment) byte = std::byte{0x5a};  // payload that does not matter
      std::memcpy(record.attachment.data(), &arc.length, graph::weight_bytes(graph.type));
    }
    records.push_back(record);
  }
  return records;
}

/// What a source of these arcs declares.
inline graph::EdgeFacts facts_of(const WeightedGraph& graph, bool nodes_known, std::size_t id_bytes) {
  graph::EdgeFacts facts = facts_with(nodes_known ? std::optional(graph.nodes) : std::nullopt);
  facts.layout.weight = graph.type;
  facts.layout.id_bytes = id_bytes;
  return facts;
}

}  // namespace emgraph::tests::sssp_check
