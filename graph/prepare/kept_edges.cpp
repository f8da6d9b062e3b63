// SPDX-License-Identifier: MIT
// The times of the phases.
#include "graph/prepare/kept_edges.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"

namespace emgraph::graph::prepare {

std::uint64_t most_kept_edges(std::uint64_t nodes, std::uint64_t edges, bool directed) {
  if (nodes == 0) return edges;
  const std::uint64_t arcs = core::size_product(nodes, nodes - 1);
  return std::min(edges, directed ? arcs : arcs / 2);
}

void add_kept_sort(std::uint64_t edges, Forecast& forecast) {
  // CPU time of all threads together per edge, measured on random graphs beside the run.
  constexpr double distribute_nanoseconds = 14;
  constexpr double sort_nanoseconds = 16;
  const std::uint64_t spilled_bytes = forecast.temporary->expected_bytes;
  forecast.add("distribute", 1, spilled_bytes, seconds_for(edges, distribute_nanoseconds));
  forecast.add("sort", 0, spilled_bytes, seconds_for(edges, sort_nanoseconds));
}

void add_list_check(const SampleFacts& sampled, std::uint64_t nodes, std::uint64_t edges,
                    const ListCosts& costs, Forecast& forecast) {
  const double per_edge = costs.edge_nanoseconds +
                          costs.misses * miss_nanoseconds(core::size_product(nodes, 12)) +
                          costs.mark_nanoseconds * sampled.list_length;
  forecast.add("count", 0, 0,
               seconds_for(sampled.distinct(edges), per_edge) + seconds_for(nodes, costs.node_nanoseconds));
  add_comparison(nodes, forecast);
}

void add_comparison(std::uint64_t nodes, Forecast& forecast) {
  constexpr double node_nanoseconds = 10;
  forecast.add("check", 0, 0, seconds_for(nodes, node_nanoseconds)).one_thread = true;
}

}  // namespace emgraph::graph::prepare
