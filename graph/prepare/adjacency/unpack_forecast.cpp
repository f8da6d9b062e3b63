// SPDX-License-Identifier: MIT
// The sort, the pages on the disks, then the rows beside the index of the pages.
#include "graph/prepare/adjacency/unpack_forecast.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/adjacency/page_estimate.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::adjacency {

core::Reservation hold_array(core::MemoryBudget& memory, std::uint64_t count, std::size_t bytes,
                             const char* what) {
  return memory.reserve(
      core::round_up(static_cast<std::size_t>(core::size_product(count, bytes)), core::page_bytes), what);
}

template <class Id>
ForecastRows rehearse_unpacked(core::Environment& environment, EdgeSource<Id>& source,
                               const BuildOptions& options, const InputSize& size, Forecast& forecast) {
  // CPU time of all threads together, measured on random graphs beside the run.
  constexpr double distribute_nanoseconds = 14;  // per entry
  constexpr double build_nanoseconds = 22;       // per entry
  constexpr double unpack_nanoseconds = 5;       // per entry
  const EdgeFacts& facts = source.facts();
  core::MemoryBudget& memory = environment.memory;
  const std::size_t memory_bytes = memory.available();
  const bool both = both_directions(facts, options.directed);
  const std::uint64_t nodes = options.nodes ? *options.nodes : size.nodes.value_or(0);
  const std::uint64_t edges = size.edges.value_or(0);
  const std::uint64_t entries = core::size_product(edges, both ? 2 : 1);
  const PageAppender<Id> appender(environment, options.page_bytes, 0,
                                  core::size_product(facts.edges.value_or(0), both ? 2 : 1));
  const std::uint64_t chunk = scan_chunk_bytes(memory_bytes, options.page_bytes);
  const core::SpillForecast sorted =
      rehearse_neighbours(environment, source, {.directed = options.directed, .nodes = options.nodes},
                          size.edges, [&](std::uint64_t) { return memory.reserve_up_to(3 * chunk); });
  const SampleFacts sampled = sample_facts(source, edges, !both);
  const std::uint64_t likely = sampled.distinct(entries);
  const core::SpillForecast pages =
      expected_page_bytes({.nodes = nodes,
                           .entries = entries,
                           .id_bytes = sizeof(Id),
                           .likely_entries = likely,
                           .likely_gap_bytes = sampled.gap_bytes,
                           .likely_lists = both ? sampled.touched : std::nullopt});
  const std::uint64_t keys =
      core::size_product(entries, (2 * prepare::bits_for_nodes(std::max<std::uint64_t>(nodes, 1)) + 7) / 8);
  forecast.temporary = {
      .most_bytes = peak_while_sort_is_read(sorted.most_bytes, keys, core::size_sum(pages.most_bytes, chunk)),
      .expected_bytes = peak_while_sort_is_read(sorted.expected_bytes, keys, pages.expected_bytes)};
  const bool in_order = streams_in_order(facts, options.directed);
  if (!in_order)
    forecast.add("distribute", 1, sorted.expected_bytes, seconds_for(entries, distribute_nanoseconds));
  forecast.add("build adjacency", in_order ? 1 : 0, sorted.expected_bytes + pages.expected_bytes,
               seconds_for(entries, build_nanoseconds));
  forecast.add("unpack adjacency", 0, pages.expected_bytes, seconds_for(likely, unpack_nanoseconds));
  if (!size.edges || nodes == 0) forecast.leave_size_open();
  core::Reservation offsets = hold_array(memory, core::size_sum(nodes, 1), sizeof(std::uint64_t),
                                         "where the neighbours of each node are");
  constexpr const char* what = "the neighbours of each node";
  core::Reservation rows = hold_array(memory, likely, sizeof(Id), what);
  const std::uint64_t further = core::size_product(entries - std::min(entries, likely), sizeof(Id));
  // The rows of other edges than the sample's, and pages that are read.
  memory.raise_peak(core::size_sum(further, (environment.threads + 2) * chunk));
  return {std::move(offsets), std::move(rows), likely, further};
}

template ForecastRows rehearse_unpacked(core::Environment&, EdgeSource<std::uint32_t>&, const BuildOptions&,
                                        const InputSize&, Forecast&);
template ForecastRows rehearse_unpacked(core::Environment&, EdgeSource<std::uint64_t>&, const BuildOptions&,
                                        const InputSize&, Forecast&);

}  // namespace emgraph::graph::adjacency
