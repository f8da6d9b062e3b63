// SPDX-License-Identifier: MIT
// Sets of arcs and of pairs.
#include "tests/oracle/stats_oracle.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace emgraph::tests {

StatsAnswers all_stats(std::uint64_t nodes, const std::vector<graph::Edge64>& edges) {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  StatsAnswers answers;
  answers.degree.resize(nodes);
  answers.out.resize(nodes);
  answers.in.resize(nodes);
  if (!edges.empty()) answers.smallest_id = std::numeric_limits<std::uint64_t>::max();
  std::set<Pair> arcs;
  std::set<Pair> pairs;
  std::uint64_t not_loops = 0;
  for (const graph::Edge64& edge : edges) {
    const Pair ends = std::minmax(edge.source, edge.target);
    answers.smallest_id = std::min(answers.smallest_id, ends.first);
    answers.largest_id = std::max(answers.largest_id, ends.second);
    if (!arcs.insert({edge.source, edge.target}).second) ++answers.duplicate_arcs;
    if (ends.first == ends.second) {
      ++answers.loops;
    } else {
      ++not_loops;
      pairs.insert(ends);
    }
  }
  answers.simple_edges = pairs.size();
  answers.undirected_duplicates = not_loops - pairs.size();
  for (const auto& [low, high] : pairs) {
    ++answers.degree[low];
    ++answers.degree[high];
    if (arcs.contains({low, high}) && arcs.contains({high, low})) ++answers.mutual_pairs;
  }
  for (const auto& [source, target] : arcs) {
    if (source == target) continue;
    ++answers.out[source];
    ++answers.in[target];
  }
  for (std::uint64_t node = 0; node < nodes; ++node) {
    const std::uint64_t degree = answers.degree[node];
    if (degree == 0) {
      ++answers.isolated_nodes;
      continue;
    }
    answers.wedges += degree * (degree - 1) / 2;
    answers.hubs.emplace_back(node, degree);
  }
  std::stable_sort(answers.hubs.begin(), answers.hubs.end(),
                   [](const Pair& a, const Pair& b) { return a.second > b.second; });
  return answers;
}

std::map<std::uint64_t, std::uint64_t> histogram_of(const std::vector<std::uint64_t>& values) {
  std::map<std::uint64_t, std::uint64_t> histogram;
  for (const std::uint64_t value : values) ++histogram[value];
  return histogram;
}

}  // namespace emgraph::tests
