// SPDX-License-Identifier: MIT
// What every generator test asks: the same edges whatever the ranges, the id width and the instruction set.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::graph::generate {

template <class Id, class AnyModel>
std::vector<Edge<Id>> edges_of(const AnyModel& model, std::uint64_t first, std::size_t count) {
  std::vector<Edge<Id>> edges(count);
  model.template fill<Id>(first, edges);
  return edges;
}

template <class Id, class AnyModel>
std::vector<Edge<Id>> all_edges(const AnyModel& model) {
  return edges_of<Id>(model, 0, model.edges());
}

/// FNV-1a of the ids, to pin a graph in a test.
template <class Id>
std::uint64_t fingerprint(const std::vector<Edge<Id>>& edges) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto& edge : edges) {
    for (const std::uint64_t id : {std::uint64_t{edge.source}, std::uint64_t{edge.target}}) {
      hash = (hash ^ id) * 0x100000001b3u;
    }
  }
  return hash;
}

/// Edges first .. first + count - 1 in pieces of odd sizes equal one fill; 64-bit ids equal 32-bit ids.
template <class AnyModel>
void check_ranges_and_widths(const AnyModel& model, std::uint64_t first, std::size_t count) {
  const auto expected = edges_of<std::uint32_t>(model, first, count);
  for (const std::size_t piece : {1u, 7u, 64u, 1000u, 2049u}) {
    if (count / piece > 20'000) continue;
    std::vector<Edge32> edges(count);
    for (std::size_t at = 0; at < count; at += piece) {
      model.template fill<std::uint32_t>(first + at,
                                         std::span(edges).subspan(at, std::min(piece, count - at)));
    }
    CAPTURE(piece);
    REQUIRE((edges == expected));
  }
  const auto wide = edges_of<std::uint64_t>(model, first, count);
  REQUIRE(std::equal(wide.begin(), wide.end(), expected.begin(), [](const Edge64& a, const Edge32& b) {
    return a.source == b.source && a.target == b.target;
  }));
}

/// Chi-square statistic in standard deviations from its mean: (chi2 - f) / sqrt(2 f), f = cells - 1.
/// Fixed seeds make the tests repeatable; the bound of 5 fails about one seed in 10^5.
inline double chi_square_deviation(const std::vector<std::uint64_t>& counts,
                                   const std::vector<double>& expected) {
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double difference = static_cast<double>(counts[i]) - expected[i];
    statistic += difference * difference / expected[i];
  }
  const auto freedom = static_cast<double>(counts.size() - 1);
  return (statistic - freedom) / std::sqrt(2 * freedom);
}

inline double uniform_deviation(const std::vector<std::uint64_t>& counts) {
  double total = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  return chi_square_deviation(counts,
                              std::vector<double>(counts.size(), total / static_cast<double>(counts.size())));
}

/// u < v and strictly ascending.
template <class Id>
bool is_sorted_simple(const std::vector<Edge<Id>>& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].source >= edges[i].target) return false;
    if (i > 0 && !(edges[i - 1] < edges[i])) return false;
  }
  return true;
}

}  // namespace emgraph::graph::generate
