// SPDX-License-Identifier: MIT
// All ids that occur in edges, each once, ascending: an external sort of the ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::relabel {

/// Threads for a sorter of `sorter_bytes` of memory: all, or fewer if memory for their buffers is short.
inline unsigned sorting_threads(const core::Environment& environment, std::size_t sorter_bytes) {
  constexpr std::size_t least_share_bytes = 640 * core::KiB;
  return static_cast<unsigned>(
      std::clamp<std::size_t>(sorter_bytes / least_share_bytes, 1, environment.threads));
}

/// A lane for each of `threads`.
template <class Id>
prepare::Lanes<Id> open_lanes(EdgeSource<Id>& source, unsigned threads) {
  prepare::Lanes<Id> lanes;
  for (unsigned thread = 0; thread < threads; ++thread) lanes.push_back(source.lane());
  return lanes;
}

/// Reads all edges and calls `take(ids)` with batches of the distinct ids, in ascending order, until it
/// returns false. I/O: writes and reads each end at most once. Memory: the free memory except `spared_bytes`.
/// Throws: DataError (an id is not below the declared n), MemoryLimitError, EnvironmentError.
template <class Id, class Take>
prepare::IngestFacts for_each_distinct(core::Environment& environment, EdgeSource<Id>& source,
                                       std::size_t spared_bytes, Take&& take) {
  using Sorter = core::DistributionSorter<std::uint64_t>;
  const std::size_t free = prepare::sorter_memory(environment.memory);
  prepare::Lanes<Id> lanes =
      open_lanes(source, sorting_threads(environment, free - std::min(free, spared_bytes)));
  typename Sorter::Options options;
  const std::optional<std::uint64_t>& nodes = source.facts().nodes;
  const std::uint64_t widest = static_cast<Id>(~Id{0});
  options.range = {0, nodes && *nodes > 0 ? std::min(*nodes - 1, widest) : widest};
  if (source.facts().edges) options.records = core::size_product(*source.facts().edges, 2);
  if (source.facts().most_edges) options.most_records = core::size_product(*source.facts().most_edges, 2);
  for (const Edge<Id>& edge : source.sample(prepare::splitter_sample / 2)) {
    // Reading reports ids that are not below n; the sample must only leave out keys beyond the range.
    if (edge.source <= options.range.last) options.sample.push_back(edge.source);
    if (edge.target <= options.range.last) options.sample.push_back(edge.target);
  }
  const std::size_t left = prepare::sorter_memory(environment.memory);
  options.memory_bytes = std::max<std::size_t>(1, left - std::min(left, spared_bytes));
  options.threads = static_cast<unsigned>(lanes.size());
  options.unique = true;
  Sorter sorter(environment, std::move(options));
  const prepare::IngestFacts read =
      prepare::fill_sorter(environment, source.facts(), "collect ids", std::move(lanes), source.facts().nodes,
                           sorter, []<class Lane>(unsigned, Lane& lane, std::span<const Edge<Id>> batch) {
                             core::KeyBatch<Lane> records(lane);
                             for (std::size_t i = 0; i < batch.size(); ++i) {
                               // Edges often come by source: one of equal neighbours is enough.
                               if (i == 0 || batch[i].source != batch[i - 1].source)
                                 records.push(batch[i].source);
                               records.push(batch[i].target);
                             }
                             records.flush();
                           });
  core::Phase phase(environment.progress, "sort ids", sorter.records(), "ids");
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    if (!take(batch)) break;
    phase.advance(batch.size());
  }
  return read;
}

}  // namespace emgraph::graph::relabel
