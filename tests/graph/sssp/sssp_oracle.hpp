// SPDX-License-Identifier: MIT
// Distances and parents by their definition, and graphs with weights of all kinds.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "graph/sssp/distances.hpp"
#include "tests/graph/adjacency/weighted_oracle.hpp"
#include "tests/support/graph_zoo.hpp"

namespace emgraph::tests::sssp {

using weighted::bits_of_weight;
using weighted::weighted_lists;
using weighted::weighted_source;
using weighted::WeightedEdge;
using weighted::WeightedLists;

inline constexpr std::uint64_t no_parent = ~std::uint64_t{0};

struct PathAnswer {
  std::vector<std::uint64_t> distances, parents;
  std::uint64_t reached = 0;
  std::uint64_t max_distance = 0;
};

/// Bellman and Ford until nothing changes. Slow on purpose.
template <class Distances>
PathAnswer shortest_paths(const WeightedLists& lists, graph::WeightType type, std::uint64_t nodes,
                          std::uint64_t root) {
  constexpr std::uint64_t unreached = Distances::unreached;
  PathAnswer answer;
  answer.distances.assign(nodes, unreached);
  answer.parents.assign(nodes, no_parent);
  std::vector<std::uint64_t>& d = answer.distances;
  d[root] = 0;
  const auto for_each_arc = [&](auto&& take) {
    for (const auto& [u, list] : lists) {
      if (d[u] == unreached) continue;
      for (const auto& [v, weight] : list)
        take(u, v, Distances::add(d[u], graph::sssp::length_of(type, weight)));
    }
  };
  for (bool changed = true; changed;) {
    changed = false;
    for_each_arc([&](std::uint64_t, std::uint64_t v, std::uint64_t sum) {
      if (sum >= d[v]) return;
      d[v] = sum;
      changed = true;
    });
  }
  // The fewest tight arcs from nodes at the same distance behind a node.
  std::vector<std::uint64_t> behind(nodes, no_parent);
  behind[root] = 0;
  for_each_arc([&](std::uint64_t u, std::uint64_t v, std::uint64_t sum) {
    if (sum == d[v] && d[u] < d[v]) behind[v] = 0;
  });
  for (bool changed = true; changed;) {
    changed = false;
    for_each_arc([&](std::uint64_t u, std::uint64_t v, std::uint64_t sum) {
      if (sum != d[v] || sum == unreached || d[u] != d[v] || behind[u] == no_parent) return;
      if (behind[u] + 1 >= behind[v]) return;
      behind[v] = behind[u] + 1;
      changed = true;
    });
  }
  for_each_arc([&](std::uint64_t u, std::uint64_t v, std::uint64_t sum) {
    if (sum != d[v] || sum == unreached || v == root) return;
    const bool nearer = d[u] < d[v];
    if (nearer ? behind[v] != 0 : behind[v] == 0 || behind[u] + 1 != behind[v]) return;
    if (u < answer.parents[v]) answer.parents[v] = u;
  });
  answer.parents[root] = root;
  for (std::uint64_t v = 0; v < nodes; ++v) {
    if (d[v] == unreached) continue;
    ++answer.reached;
    answer.max_distance = std::max(answer.max_distance, d[v]);
  }
  return answer;
}

enum class Weights { zero, one, few, many, huge, f32, f64 };
inline constexpr Weights all_weights[] = {Weights::zero, Weights::one, Weights::few, Weights::many,
                                          Weights::huge, Weights::f32, Weights::f64};

inline graph::WeightType type_of(Weights weights) {
  switch (weights) {
    case Weights::huge:
      return graph::WeightType::i64;
    case Weights::f32:
      return graph::WeightType::f32;
    case Weights::f64:
      return graph::WeightType::f64;
    default:
      return graph::WeightType::u32;
  }
}

/// zero, one: all the same; few: 0 … 3; many: 1 … 1000; huge: up to 2^40, many of them small; f32, f64:
/// tenths of 0 … 9, also -0.0, and some that are lost when they are added.
inline std::vector<WeightedEdge> weigh(const EdgeList& edges, Weights weights, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<WeightedEdge> weighted;
  for (const graph::Edge64& edge : edges) {
    std::uint64_t bits = 0;
    const double tenth = random() % 9 == 0 ? 1e-18 : 0.1 * static_cast<double>(random() % 10);
    switch (weights) {
      case Weights::zero:
        break;
      case Weights::one:
        bits = 1;
        break;
      case Weights::few:
        bits = random() % 4;
        break;
      case Weights::many:
        bits = random() % 1000 + 1;
        break;
      case Weights::huge:
        bits = random() % (std::uint64_t{1} << (random() % 41));
        break;
      case Weights::f32:
        bits = bits_of_weight(static_cast<float>(random() % 13 == 0 ? -0.0 : tenth));
        break;
      case Weights::f64:
        bits = bits_of_weight(random() % 13 == 0 ? -0.0 : tenth);
        break;
    }
    weighted.push_back({edge.source, edge.target, bits});
  }
  return weighted;
}

/// Calls use(source) with the edges and their weights.
template <class Id, class Use>
void with_source(const std::vector<WeightedEdge>& edges, graph::WeightType type, std::uint64_t nodes,
                 Use&& use) {
  if (graph::weight_bytes(type) == 4) {
    auto source = weighted_source<Id, 4>(edges, facts_with(nodes), type);
    use(source);
  } else {
    auto source = weighted_source<Id, 8>(edges, facts_with(nodes), type);
    use(source);
  }
}

}  // namespace emgraph::tests::sssp
