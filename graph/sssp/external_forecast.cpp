// SPDX-License-Identifier: MIT
// The forecast of the external search: its memory, and its space beside the pages.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/bytes.hpp"
#include "graph/forecast.hpp"
#include "graph/node_values.hpp"
#include "graph/sssp/distance_tags.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/external.hpp"
#include "graph/sssp/external_parents.hpp"
#include "graph/sssp/external_shares.hpp"

namespace emgraph::graph::sssp {
namespace {

/// Follows search_with (external.cpp).
template <class Id, class Distances>
core::SpillForecast rehearse_with(core::Environment& environment, const ExternalSize& size) {
  const std::size_t free = environment.memory.available();
  std::optional<NodeValues<std::uint64_t>> found;
  if (size.distances || size.parents) {
    found.emplace(environment, size.nodes, 1, false, values_bytes<std::uint64_t>(free),
                  "a distance per node");
  }
  const std::size_t left = environment.memory.available();
  const ExternalDemand demand{.nodes = size.nodes,
                              .entries = size.entries,
                              .absent_bytes = size.pages_bytes,
                              .chunk_bytes = size.chunk_bytes,
                              .threads = environment.threads,
                              .free_bytes = left};
  const ExternalShares shares = ExternalShares::of<Id, Distances>(demand);
  // While the sort of the distances has a sample only, and later.
  environment.memory.raise_peak(shares.most_bytes(left));
  const auto waiting = [&](std::uint64_t unsettled) {
    return shares.queue_on_disk<Id>(shares.most_waiting<Id>(demand, unsettled), shares.queue_bytes);
  };
  // Beside the pages: nodes wait in the queue, or have a distance.
  core::SpillForecast space{.most_bytes = waiting(size.nodes), .expected_bytes = waiting(size.nodes) / 3 * 2};
  if (!found) return space;
  const core::SpillForecast values = found->rehearse_puts(size.nodes);
  space.cover(values.most_bytes + waiting(0), values.expected_bytes);
  environment.memory.raise_peak(shares.most_bytes(left));
  const core::Reservation pages = environment.memory.reserve_up_to(shares.pages_fit ? size.pages_bytes : 0);
  core::Reservation copies;
  unsigned bits = 0;
  if (size.parents) {
    bits = DistanceTags::bits_for(size.nodes, free / 4);
    copies = environment.memory.reserve_up_to(
        core::size_sum(DistanceTags::bytes_for(size.nodes, bits), 4 * copy_block_bytes));
  }
  found->rehearse_finish();
  found.reset();
  if (!size.parents) return space;
  // The copies are written while the distances are read.
  const std::uint64_t copy = core::size_sum(core::size_product(size.nodes, 8), 2 * copy_block_bytes);
  space.cover(peak_while_sort_is_read(values.most_bytes, values.whole_bytes, 2 * copy),
              peak_while_sort_is_read(values.expected_bytes, values.whole_bytes, 2 * copy));
  const core::SpillForecast parents =
      ExternalParents<Id>::rehearse(environment, size.nodes, size.entries, bits, size.few_weights);
  // A copy is freed while it is read and the ways are written.
  space.cover(std::max(2 * copy, copy + parents.most_bytes),
              std::max(2 * copy, copy + parents.expected_bytes));
  return space;
}

}  // namespace

template <class Id>
core::SpillForecast rehearse_external(core::Environment& environment, const ExternalSize& size) {
  return with_distances(size.weight, [&]<class Distances>(Distances) {
    return rehearse_with<Id, Distances>(environment, size);
  });
}

template core::SpillForecast rehearse_external<std::uint32_t>(core::Environment&, const ExternalSize&);
template core::SpillForecast rehearse_external<std::uint64_t>(core::Environment&, const ExternalSize&);

}  // namespace emgraph::graph::sssp
