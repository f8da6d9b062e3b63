// SPDX-License-Identifier: MIT
// Relaxes all arcs until nothing changes.
#include "tests/oracle/shortest_paths.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace emgraph::tests {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};

std::uint64_t sum(std::uint64_t distance, std::uint64_t length, bool floating) {
  if (floating) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(distance) + std::bit_cast<double>(length));
  }
  return distance > none - length ? none : distance + length;
}

}  // namespace

ShortestPaths shortest_paths(std::uint64_t nodes, std::vector<LengthArc> arcs, std::uint64_t root,
                             bool directed, bool floating) {
  if (!directed) {
    for (std::size_t i = arcs.size(); i-- > 0;)
      arcs.push_back({arcs[i].target, arcs[i].source, arcs[i].length});
  }
  const std::uint64_t unreached =
      floating ? std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()) : none;
  ShortestPaths answer;
  std::vector<std::uint64_t>& distances = answer.distances;
  distances.assign(nodes, unreached);
  answer.parents.assign(nodes, none);
  if (nodes == 0) return answer;
  distances[root] = 0;
  // Words have the order of the lengths, because no length is negative.
  for (bool changed = true; changed;) {
    changed = false;
    for (const LengthArc& arc : arcs) {
      const std::uint64_t through = sum(distances[arc.source], arc.length, floating);
      if (distances[arc.source] == unreached || through >= distances[arc.target]) continue;
      distances[arc.target] = through;
      changed = true;
    }
  }
  std::vector<LengthArc> flat;  // tight arcs that add nothing
  std::vector<std::uint64_t> flat_arcs_behind(nodes, none);
  flat_arcs_behind[root] = 0;
  for (const LengthArc& arc : arcs) {
    const std::uint64_t from = distances[arc.source];
    const std::uint64_t to = distances[arc.target];
    if (to == unreached || arc.source == arc.target || sum(from, arc.length, floating) != to) continue;
    if (from == to) {
      flat.push_back(arc);
    } else {
      flat_arcs_behind[arc.target] = 0;
      answer.parents[arc.target] = std::min(answer.parents[arc.target], arc.source);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const LengthArc& arc : flat) {
      const std::uint64_t behind = flat_arcs_behind[arc.source];
      if (behind == none || behind + 1 >= flat_arcs_behind[arc.target]) continue;
      flat_arcs_behind[arc.target] = behind + 1;
      changed = true;
    }
  }
  for (const LengthArc& arc : flat) {
    if (flat_arcs_behind[arc.target] == flat_arcs_behind[arc.source] + 1) {
      answer.parents[arc.target] = std::min(answer.parents[arc.target], arc.source);
    }
  }
  answer.parents[root] = root;
  for (const std::uint64_t distance : distances) {
    if (distance == unreached) continue;
    ++answer.reached;
    answer.max_distance = std::max(answer.max_distance, distance);
  }
  return answer;
}

}  // namespace emgraph::tests
