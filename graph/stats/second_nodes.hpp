// SPDX-License-Identifier: MIT
// The parameters of the sort of second nodes, which the run and its forecast make alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/stats/choice.hpp"

namespace emgraph::graph::stats {

struct SecondNodes {
  std::uint64_t largest = 0;
  std::uint64_t records = 0;          ///< their number, approximately
  std::vector<std::uint64_t> sample;  ///< a sample of up to prepare::splitter_sample, not just the first ones
  std::size_t memory_bytes = 0;
  std::size_t block_bytes = 0;
  bool directed = false;  ///< out- and in-degrees are wanted, too
  bool rehearse = false;  ///< for a forecast
};

/// The larger ends of a sample of edges. `bound`: of the ids, if there is one.
template <class Id>
std::vector<std::uint64_t> sample_of_seconds(std::span<const Edge<Id>> edges,
                                             const std::optional<std::uint64_t>& bound) {
  std::vector<std::uint64_t> sample;
  for (const Edge<Id>& edge : edges) {
    const std::uint64_t high = std::max(edge.source, edge.target);
    if (!bound || high < *bound) sample.push_back(high);
  }
  return sample;
}

/// Of an input that is in the order of either end, with the smaller end first. `nodes`: declared.
template <class Id>
SecondNodes seconds_in_order(EdgeSource<Id>& source, const std::optional<std::uint64_t>& nodes,
                             const DegreePlan& plan, bool directed) {
  const EdgeFacts& facts = source.facts();
  const bool by_target = facts.order == EdgeOrder::target_source;
  SecondNodes second;
  for (const Edge<Id>& edge : source.sample(prepare::splitter_sample)) {
    const std::uint64_t node = by_target ? edge.source : edge.target;
    if (!nodes || node < *nodes) second.sample.push_back(node);
  }
  second.largest = nodes ? std::max<std::uint64_t>(1, *nodes) - 1 : std::uint64_t{~Id{0}};
  second.records = facts.edges.value_or(0);
  second.memory_bytes = plan.degree_bytes + plan.edge_bytes;
  second.block_bytes = plan.block_bytes;
  second.directed = directed;
  return second;
}

/// Whether the degrees of an input in order are counted. Counters need n in advance. Throws UsageError if a
/// forced model cannot know it, MemoryLimitError if it does not fit.
inline bool counts_in_order(const EdgeFacts& facts, const std::optional<std::uint64_t>& nodes,
                            const Demand& demand, const DegreePlan& plan) {
  if (!nodes && !plan.may_sort) {
    throw core::UsageError(facts.name + ": the number of nodes is not known before the end; give --nodes");
  }
  return nodes && plan.counts(demand, *nodes);
}

/// Reasons of the models of inputs in order.
inline constexpr const char* kept_order = "; declared sorted, the edges are not sorted again";
inline constexpr const char* both_directions =
    "declared sorted, in both directions: degrees one after the other, nothing is kept";

}  // namespace emgraph::graph::stats
