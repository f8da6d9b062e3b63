// SPDX-License-Identifier: MIT
// Feeds a source into the distribution sorter, with the run-time choice of the key's width in one place.
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

/// Sample size for splitters: some per bucket and more than enough for 2^13 cells.
inline constexpr std::size_t splitter_sample = 64 * 1024;

using core::sorter_memory;

template <class R, core::IntegerKey Key>
using EdgeSorter = core::DistributionSorter<Key, R::attachment_bytes>;

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
/// count.
template <class R, core::IntegerKey Key, class Visit>
typename EdgeSorter<R, Key>::Options sorter_options(EdgeSource<R>& source, const EdgeKeys<Key>& keys,
                                                    const std::optional<std::uint64_t>& nodes,
                                                    const Visit& visit) {
  typename EdgeSorter<R, Key>::Options options;
  const std::uint64_t most = keys.id_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << keys.id_bits) - 1;
  // More nodes may be declared than ids of this width can name.
  options.range = keys.range(nodes && *nodes > 0 ? std::min(*nodes - 1, most) : most);
  options.records = source.facts().edges;
  for (const R& edge : source.sample(splitter_sample)) {
    // Ids beyond `nodes` are refused when they are read; here they would only fall out of the key range.
    if (nodes && (edge.source >= *nodes || edge.target >= *nodes)) continue;
    visit(edge.source, edge.target,
          [&](std::uint64_t a, std::uint64_t b) { options.sample.push_back(keys.make(a, b)); });
  }
  return options;
}

/// Pushes all edges of the lanes, closes the lanes and finishes the sorter. `take(sorter lane, batch)` pushes
/// what it makes of a batch of edges, in the thread that read it.
template <class R, core::IntegerKey Key, class Take>
IngestFacts fill_sorter(core::Environment& environment, const EdgeFacts& source,
                        const std::string& phase_name, Lanes<R> lanes, const IdBound& bound,
                        EdgeSorter<R, Key>& sorter, Take&& take) {
  core::Phase phase(environment.progress, phase_name, source.edges.value_or(0), "edges");
  const IngestFacts facts =
      ingest(lanes, source.name, bound, phase,
             [&](unsigned thread, std::span<const R> batch) { take(sorter.lane(thread), batch); });
  lanes.clear();
  core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
  sorter.finish();
  return facts;
}

/// A sorter's record of an edge under a key.
template <class R, core::IntegerKey Key>
typename EdgeSorter<R, Key>::Record keyed(Key key, const R& edge) {
  typename EdgeSorter<R, Key>::Record record;
  record.key = key;
  if constexpr (R::attachment_bytes > 0) record.attachment = edge.attachment;
  return record;
}

/// A `take` for fill_sorter that visits each edge: see sorter_options.
template <core::IntegerKey Key, class Visit>
auto take_visited(const EdgeKeys<Key>& keys, const Visit& visit) {
  return [&keys, &visit]<class R>(auto& lane, std::span<const R> batch) {
    for (const R& edge : batch) {
      visit(edge.source, edge.target,
            [&](std::uint64_t a, std::uint64_t b) { lane.push(keyed<R>(keys.make(a, b), edge)); });
    }
  };
}

}  // namespace emgraph::graph::prepare
