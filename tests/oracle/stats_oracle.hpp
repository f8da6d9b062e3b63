// SPDX-License-Identifier: MIT
// Facts of a graph by their definitions, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "graph/types.hpp"

namespace emgraph::tests {

struct StatsAnswers {
  std::uint64_t loops = 0;
  std::uint64_t duplicate_arcs = 0;
  std::uint64_t undirected_duplicates = 0;
  std::uint64_t simple_edges = 0;
  std::uint64_t mutual_pairs = 0;
  std::uint64_t isolated_nodes = 0;
  std::uint64_t wedges = 0;
  std::uint64_t smallest_id = 0;
  std::uint64_t largest_id = 0;
  std::vector<std::uint64_t> degree;
  std::vector<std::uint64_t> out;
  std::vector<std::uint64_t> in;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      hubs;  ///< (node, degree) with degree > 0, largest first
};

StatsAnswers all_stats(std::uint64_t nodes, const std::vector<graph::Edge64>& edges);

/// Number of occurrences of each value.
std::map<std::uint64_t, std::uint64_t> histogram_of(const std::vector<std::uint64_t>& values);

}  // namespace emgraph::tests
