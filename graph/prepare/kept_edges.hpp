// SPDX-License-Identifier: MIT
// For plans of checks that sort the edges in a third of the free memory and keep them in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/forecast.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::prepare {

/// The most edges that a sort without loops and duplicates keeps of `edges`, each from the smaller end to the
/// larger one, or `directed`. `nodes`: 0 if n is not known.
std::uint64_t most_kept_edges(std::uint64_t nodes, std::uint64_t edges, bool directed);

/// The memory that such a check takes.
struct KeptEdges {
  std::uint64_t while_sorted_bytes = 0;  ///< beside the sort
  std::uint64_t later_bytes = 0;         ///< when the sort is closed; most of all times
};

/// Adds the phases "distribute" and "sort" of so many edges.
void add_kept_sort(std::uint64_t edges, Forecast& forecast);

/// CPU time of all threads together for comparing lists of neighbours.
struct ListCosts {
  double edge_nanoseconds;  ///< per edge, and
  double misses;            ///< look-ups of nodes
  double mark_nanoseconds;  ///< for each entry of the list at the other end
  double node_nanoseconds;  ///< per node
};
/// Adds the phases "count" and "check" of a check that compares the lists at both ends of each edge.
void add_list_check(const SampleFacts& sampled, std::uint64_t nodes, std::uint64_t edges,
                    const ListCosts& costs, Forecast& forecast);
/// Adds the phase "check": one thread compares a value per node.
void add_comparison(std::uint64_t nodes, Forecast& forecast);

/// Reserves the memory of such a check, and adds the phases "distribute" and "sort" and the space of the sort
/// to its forecast. If the size is not known: all memory.
template <class Id, class Keys, class Visit>
void rehearse_kept_edges(core::Environment& environment, EdgeSource<Id>& edges,
                         const std::optional<std::uint64_t>& declared, const Keys& keys, const SortSpec& spec,
                         const Visit& visit, const InputSize& size, const KeptEdges& kept,
                         Forecast& forecast) {
  const std::size_t free = environment.memory.available();
  const core::SpillForecast spill = rehearse_sort_edges(
      sort_input(environment, edges, declared), keys, spec, visit, [&](unsigned) { return free / 3; },
      size.edges,
      [&](std::uint64_t, const core::Reservation&) {
        return environment.memory.reserve_up_to(kept.while_sorted_bytes);
      });
  const bool known = size.edges && (declared || size.nodes);
  environment.memory.raise_peak(known ? kept.later_bytes : environment.memory.limit());
  forecast.temporary = spill;
  add_kept_sort(size.edges.value_or(0), forecast);
  if (!known) forecast.leave_size_open();
}

}  // namespace emgraph::graph::prepare
