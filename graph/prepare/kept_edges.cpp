// SPDX-License-Identifier: MIT
// The time of the sort.
#include "graph/prepare/kept_edges.hpp"

namespace emgraph::graph::prepare {

void add_kept_sort(std::uint64_t edges, Forecast& forecast) {
  // CPU time of all threads together per edge, measured on random graphs beside the run.
  constexpr double distribute_nanoseconds = 14;
  constexpr double sort_nanoseconds = 16;
  const std::uint64_t spilled_bytes = forecast.temporary->expected_bytes;
  forecast.add("distribute", 1, spilled_bytes, seconds_for(edges, distribute_nanoseconds));
  forecast.add("sort", 0, spilled_bytes, seconds_for(edges, sort_nanoseconds));
}

}  // namespace emgraph::graph::prepare
