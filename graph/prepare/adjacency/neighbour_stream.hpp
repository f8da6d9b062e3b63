// SPDX-License-Identifier: MIT
// Converts any edge source to the sorted, simple edges of an adjacency.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/prepare/key_sort.hpp"

namespace emgraph::graph::adjacency {

struct StreamOptions {
  bool directed = false;  ///< edges from source to target only; else both directions
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< ids must be below it; default: the source's
  /// Bytes that the sort must leave free, in addition to those that `sorter_memory` leaves.
  std::size_t spare_bytes = 0;
};

/// True if the edges of a source with these facts have the order of an adjacency.
inline bool streams_in_order(const EdgeFacts& facts, bool directed) {
  return facts.order == EdgeOrder::source_target && (directed || facts.symmetric);
}

/// Calls `begin(n, bound)` once, then `take(source, target)` for every edge, ascending by (source, target),
/// without loops and duplicates. `bound` is an upper bound of the number of edges. An unknown bound is
/// nullopt; n is nullopt if it is not known before the end of a sorted input. An input that is declared
/// sorted is not sorted again.
///
/// I/O: one read of the input, a second one if ids are larger than estimated by a sample
/// (prepare::with_id_bound); the sort spills keys that do not fit. Memory: all free memory except
/// spare_bytes; `begin` may use the memory that the sorter left (prepare::sorter_memory). Threads: one thread
/// makes the calls. Throws: DataError (id not below n), MemoryLimitError, EnvironmentError. Returns n, edges
/// as read.
template <class Id, class Begin, class Take>
prepare::IngestFacts stream_neighbours(core::Environment& environment, EdgeSource<Id>& source,
                                       const StreamOptions& options, Begin&& begin, Take&& take) {
  const EdgeFacts& facts = source.facts();
  const std::optional<std::uint64_t> nodes = options.nodes ? options.nodes : facts.nodes;
  prepare::IngestFacts read;
  if (streams_in_order(facts, options.directed)) {
    begin(nodes, facts.edges);
    const EdgeLane<Id> lane = source.lane();
    core::Phase phase(environment.progress, "build adjacency", facts.edges.value_or(0), "edges");
    Id last_source = 0;
    Id last_target = 0;
    bool first = true;
    for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
      read.merge({batch.size(), prepare::check_ids(batch, nodes, facts.name, lane.first_edge())});
      for (const Edge<Id>& edge : batch) {
        if (edge.source == edge.target) continue;
        if (edge.source == last_source && edge.target == last_target && !first) continue;
        first = false;
        last_source = edge.source;
        last_target = edge.target;
        take(edge.source, edge.target);
      }
      phase.advance(batch.size());
    }
    return read;
  }
  return prepare::with_id_bound(source, nodes, [&](const prepare::IdBound& bound) {
    return prepare::with_edge_keys<Id>(bound.below, [&](const auto& keys) {
      using Key = decltype(keys.make(0, 0));
      // An input that stores both directions already needs no reversed edges.
      const bool both = !options.directed && !facts.symmetric;
      const auto visit = [both](std::uint64_t a, std::uint64_t b, auto&& push) {
        if (a == b) return;
        push(a, b);
        if (both) push(b, a);
      };
      auto sorter_options = prepare::sorter_options(source, keys, bound.below, visit);
      if (both && sorter_options.records) {
        sorter_options.records = core::size_product(*sorter_options.records, 2);
      }
      sorter_options.unique = true;
      prepare::Lanes<Id> lanes = prepare::open_lanes(environment, source);
      sorter_options.threads = static_cast<unsigned>(lanes.size());
      sorter_options.memory_bytes = prepare::sorter_memory(environment.memory);
      sorter_options.memory_bytes -= std::min(sorter_options.memory_bytes, options.spare_bytes);
      core::DistributionSorter<Key> sorter(environment, std::move(sorter_options));
      read = prepare::fill_sorter(environment, facts, "distribute", std::move(lanes), bound, sorter,
                                  prepare::take_visited(keys, visit));
      begin(std::optional(read.nodes(nodes)), std::optional(sorter.records()));
      core::Phase phase(environment.progress, "build adjacency", sorter.records(), "edges");
      for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
        for (const Key key : batch) take(static_cast<Id>(keys.first(key)), static_cast<Id>(keys.second(key)));
        phase.advance(batch.size());
      }
      return read;
    });
  });
}

}  // namespace emgraph::graph::adjacency
