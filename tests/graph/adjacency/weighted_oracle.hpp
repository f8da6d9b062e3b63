// SPDX-License-Identifier: MIT
// Lists of neighbours with weights by their definition, and sources of edges with weights.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "graph/weighting.hpp"
#include "tests/graph/adjacency/adjacency_oracle.hpp"

namespace emgraph::tests::weighted {

/// `weight`: the stored bits, zero-extended.
struct WeightedEdge {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t weight = 0;
};

using WeightedList = std::map<std::uint64_t, std::uint64_t>;  ///< weight by neighbour
using WeightedLists = std::map<std::uint64_t, WeightedList>;

template <class T>
std::uint64_t bits_of_weight(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// True if weight `a` comes before `b`: by value, then -0.0 before 0.0.
inline bool weight_before(graph::WeightType type, std::uint64_t a, std::uint64_t b) {
  const auto before = [&]<class T>(T) {
    T left;
    T right;
    std::memcpy(&left, &a, sizeof left);
    std::memcpy(&right, &b, sizeof right);
    return left != right ? left < right : a > b;
  };
  switch (type) {
    case graph::WeightType::i64:
      return before(std::int64_t{});
    case graph::WeightType::f32:
      return before(float{});
    case graph::WeightType::f64:
      return before(double{});
    default:
      return before(std::uint32_t{});
  }
}

/// Edges with random weights of which many are small, and some of every size.
inline std::vector<WeightedEdge> with_weights(const EdgeList& edges, graph::WeightType type,
                                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<WeightedEdge> weighted;
  for (const graph::Edge64& edge : edges) {
    std::uint64_t weight = 0;
    const std::uint64_t dice = random() % 8;
    const std::uint64_t whole = random() >> (dice == 0 ? random() % 64 : 54);
    switch (type) {
      case graph::WeightType::i64:
        weight = dice == 1 ? ~whole : whole;
        break;
      case graph::WeightType::f32:
        weight = bits_of_weight((dice == 1 ? -0.25F : 0.25F) * static_cast<float>(whole % 40));
        break;
      case graph::WeightType::f64:
        weight = bits_of_weight((dice == 1 ? -0.1 : 0.1) * static_cast<double>(whole % 40));
        break;
      default:
        weight = static_cast<std::uint32_t>(whole);
    }
    weighted.push_back({edge.source, edge.target, weight});
  }
  return weighted;
}

/// The lightest of the edges of each pair. Slow on purpose.
inline WeightedLists weighted_lists(const std::vector<WeightedEdge>& edges, graph::WeightType stored,
                                    const graph::Weighting& weighting, bool directed) {
  WeightedLists lists;
  const graph::WeightType type = weighting.type(stored);
  const auto add = [&](std::uint64_t from, std::uint64_t to, std::uint64_t weight) {
    const auto [at, fresh] = lists[from].emplace(to, weight);
    if (!fresh && weight_before(type, weight, at->second)) at->second = weight;
  };
  for (const WeightedEdge& edge : edges) {
    if (edge.source == edge.target) continue;
    std::uint64_t weight = edge.weight;
    const std::uint64_t low = std::min(edge.source, edge.target);
    const std::uint64_t high = std::max(edge.source, edge.target);
    if (weighting.rule == graph::WeightRule::unit) weight = 1;
    if (weighting.rule == graph::WeightRule::hash) {
      weight = (low * 2654435761U ^ high * 40503U) % weighting.modulus + 1;
    }
    add(edge.source, edge.target, weight);
    if (!directed) add(edge.target, edge.source, weight);
  }
  return lists;
}

/// The edges with weights of `Bytes` bytes.
template <class Id, std::size_t Bytes>
VectorSource<graph::Record<Id, Bytes>> weighted_source(const std::vector<WeightedEdge>& edges,
                                                       graph::EdgeFacts facts, graph::WeightType type) {
  facts.layout.id_bytes = sizeof(Id);
  facts.layout.weight = type;
  std::vector<graph::Record<Id, Bytes>> records;
  for (const WeightedEdge& edge : edges) {
    auto& record = records.emplace_back(
        graph::Record<Id, Bytes>{static_cast<Id>(edge.source), static_cast<Id>(edge.target), {}});
    std::memcpy(record.attachment.data(), &edge.weight, Bytes);
  }
  return VectorSource<graph::Record<Id, Bytes>>(std::move(records), {.facts = std::move(facts)});
}

/// What a scan of all pages finds.
template <class Id>
WeightedLists scanned_weights(graph::adjacency::PagedAdjacency<Id>& adjacency, unsigned threads) {
  std::vector<WeightedLists> found(threads);
  adjacency.scan(threads, 0, [&](unsigned thread, graph::adjacency::PageCursor<Id>& cursor) {
    std::array<Id, graph::adjacency::fragment_neighbours + 3> list;
    std::array<std::uint64_t, graph::adjacency::fragment_neighbours> weights;
    while (cursor.next()) {
      cursor.decode_weights(weights.data());
      cursor.decode(list.data());
      for (unsigned i = 0; i < cursor.count(); ++i) found[thread][cursor.node()][list[i]] = weights[i];
    }
  });
  WeightedLists lists;
  for (const WeightedLists& part : found) {
    for (const auto& [node, list] : part) lists[node].insert(list.begin(), list.end());
  }
  return lists;
}

/// What a select of these nodes finds.
template <class Id>
WeightedLists selected_weights(graph::adjacency::PagedAdjacency<Id>& adjacency,
                               const std::vector<Id>& nodes) {
  WeightedLists lists;
  adjacency.select(std::span<const Id>(nodes),
                   [&](Id node, std::span<const Id> list, std::span<const std::uint64_t> weights) {
                     for (std::size_t i = 0; i < list.size(); ++i) lists[node][list[i]] = weights[i];
                   });
  return lists;
}

}  // namespace emgraph::tests::weighted
