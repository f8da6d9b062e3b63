// SPDX-License-Identifier: MIT
// From a source into the distribution sorter; the width of the key is chosen here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/sorter_memory.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::prepare {

/// Edges in the sample for splitters: several per bucket, and for each of the 2^13 cells.
inline constexpr std::size_t splitter_sample = 64 * 1024;

using core::sorter_memory;

static_assert(max_attachment_bytes <= core::most_attachment_bytes);

/// Calls `body(EdgeKeys<Key>)` with the narrowest key for ids below `nodes` (unknown: the full width of Id).
template <class Id, class Body>
decltype(auto) with_edge_keys(const std::optional<std::uint64_t>& nodes, Body&& body) {
  const unsigned bits = nodes ? bits_for_nodes(*nodes) : 8 * sizeof(Id);
  if (bits <= 32) return body(EdgeKeys<std::uint64_t>{bits});
  if constexpr (sizeof(Id) == 8) {
    return body(EdgeKeys<core::uint128>{bits});
  } else {
    return body(EdgeKeys<std::uint64_t>{32});
  }
}

/// Options of a sorter for the keys that `visit` makes of the source's edges: sample, key range, expected
/// count, width of the attachments.
template <class Id, core::IntegerKey Key, class Visit>
typename core::DistributionSorter<Key>::Options sorter_options(EdgeSource<Id>& source,
                                                               const EdgeKeys<Key>& keys,
                                                               const std::optional<std::uint64_t>& nodes,
                                                               const Visit& visit) {
  typename core::DistributionSorter<Key>::Options options;
  const std::uint64_t most = keys.id_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << keys.id_bits) - 1;
  // More nodes may be declared than ids of this width can name.
  options.range = keys.range(nodes && *nodes > 0 ? std::min(*nodes - 1, most) : most);
  options.records = source.facts().edges;
  options.attachment_bytes = source.attachment_bytes();
  for (const Edge<Id>& edge : source.sample(splitter_sample)) {
    // Ids beyond `nodes` are refused when they are read; here they would only fall out of the key range.
    if (nodes && (edge.source >= *nodes || edge.target >= *nodes)) continue;
    visit(edge.source, edge.target,
          [&](std::uint64_t a, std::uint64_t b) { options.sample.push_back(keys.make(a, b)); });
  }
  return options;
}

/// Pushes all edges of the lanes, closes the lanes and finishes the sorter. `take(sorter lane, batch)` pushes
/// what it makes of a batch of edges, in the thread that read it.
template <class Id, core::IntegerKey Key, class Take>
IngestFacts fill_sorter(core::Environment& environment, const EdgeFacts& source,
                        const std::string& phase_name, Lanes<Id> lanes, const IdBound& bound,
                        core::DistributionSorter<Key>& sorter, Take&& take) {
  core::Phase phase(environment.progress, phase_name, source.edges.value_or(0), "edges");
  const IngestFacts facts =
      ingest(lanes, source.name, bound, phase,
             [&](unsigned thread, const EdgeBatch<Id>& batch) { take(sorter.lane(thread), batch); });
  lanes.clear();
  core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
  sorter.finish();
  return facts;
}

/// A `take` for fill_sorter that visits each edge: see sorter_options. The edge's attachment travels with
/// each of its keys.
template <core::IntegerKey Key, class Visit>
auto take_visited(const EdgeKeys<Key>& keys, const Visit& visit) {
  return [&keys, &visit]<class Id>(auto& lane, const EdgeBatch<Id>& batch) {
    if (batch.plain()) {
      for (const Edge<Id>& edge : batch.edges()) {
        visit(edge.source, edge.target,
              [&](std::uint64_t a, std::uint64_t b) { lane.push(keys.make(a, b)); });
      }
      return;
    }
    for (const Edge<Id>& edge : batch) {
      visit(edge.source, edge.target,
            [&](std::uint64_t a, std::uint64_t b) { lane.push(keys.make(a, b), attachment_of(edge)); });
    }
  };
}

}  // namespace emgraph::graph::prepare
