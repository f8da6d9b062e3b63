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
#include "graph/prepare/sorted_edges.hpp"

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
  // Edges that are stored in both directions are not doubled again.
  const bool both = !options.directed && !facts.symmetric;
  const auto visit = [both](std::uint64_t a, std::uint64_t b, auto&& push) {
    if (a == b) return;
    push(a, b);
    if (both) push(b, a);
  };
  const auto memory = [&](unsigned) {
    const std::size_t bytes = prepare::sorter_memory(environment.memory);
    return bytes - std::min(bytes, options.spare_bytes);
  };
  return prepare::with_sorted_edges(
      environment, source, nodes, {.keys_per_edge = both ? 2U : 1U, .unique = true}, visit, memory,
      [&](auto& edges) {
        begin(std::optional(edges.read().nodes(nodes)), std::optional(edges.records()));
        core::Phase phase(environment.progress, "build adjacency", edges.records(), "edges");
        edges.for_each(phase, [&](std::uint64_t from, std::uint64_t to) {
          take(static_cast<Id>(from), static_cast<Id>(to));
        });
        return edges.read();
      });
}

}  // namespace emgraph::graph::adjacency
