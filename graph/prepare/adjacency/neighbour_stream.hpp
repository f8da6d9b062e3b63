// SPDX-License-Identifier: MIT
// Converts any edge source to the sorted, simple edges of an adjacency, with weights or without.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/base/function_ref.hpp"
#include "graph/edge_weights.hpp"
#include "graph/prepare/attachment_order.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::adjacency {

struct StreamOptions {
  bool directed = false;  ///< edges from source to target only; else both directions
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< ids must be below it; default: the source's
  /// Bytes that the sort must leave free, in addition to those that `sorter_memory` leaves.
  std::size_t spare_bytes = 0;
  std::optional<Weighting> weighting = std::nullopt;  ///< with it, edges come with weights
  WeightLimits limits = {};                           ///< of weights that are stored
  prepare::SortKeeper* keeper = nullptr;              ///< keeps the sort in a checkpoint; null: no
  std::optional<std::uint64_t> edges = std::nullopt;  ///< expected; default: those that the source declares
};

/// For people: what the edges are that a caller of stream_neighbours has taken.
inline constexpr const char* in_pages = "in the adjacency";

/// True if the weights are stored ones. The two directions of an edge of a symmetric source may then differ.
inline bool stored_weights(const std::optional<Weighting>& weighting) {
  return weighting && weighting->rule == WeightRule::stored;
}

/// True if the edges must be doubled: in each direction the lightest edge of both counts.
inline bool both_directions(const EdgeFacts& facts, bool directed,
                            const std::optional<Weighting>& weighting = std::nullopt) {
  return !directed && (!facts.symmetric || stored_weights(weighting));
}

/// True if the edges of a source with these facts have the order of an adjacency.
inline bool streams_in_order(const EdgeFacts& facts, bool directed,
                             const std::optional<Weighting>& weighting = std::nullopt) {
  return facts.order == EdgeOrder::source_target && !both_directions(facts, directed, weighting);
}

/// The directions of an edge. Loops have none.
inline auto neighbour_directions(bool both) {
  return [both](std::uint64_t a, std::uint64_t b, auto&& push) {
    if (a == b) return;
    push(a, b);
    if (both) push(b, a);
  };
}

/// The memory of the sort, beside the bytes that the caller needs.
inline auto memory_beside(core::Environment& environment, const StreamOptions& options) {
  return [&environment, spare = options.spare_bytes](unsigned) {
    const std::size_t bytes = prepare::sorter_memory(environment.memory);
    return bytes - std::min(bytes, spare);
  };
}

/// The sort by source and target. Stored weights are attachments.
inline prepare::SortSpec neighbour_sort(const EdgeFacts& facts, const StreamOptions& options) {
  const bool both = both_directions(facts, options.directed, options.weighting);
  prepare::SortSpec spec{
      .keys_per_edge = both ? 2U : 1U, .unique = true, .records = options.edges, .keeper = options.keeper};
  if (!options.weighting) return spec;
  const WeightType type =
      stored_weights(options.weighting) ? options.weighting->type(facts.layout.weight) : WeightType::none;
  spec.compare = prepare::attachment_order(type);
  spec.attachment_bytes = type == WeightType::none ? 0 : weight_bytes(type);
  return spec;
}

/// `begin(n, bound)` of stream_neighbours.
using BeginNeighbours =
    core::FunctionRef<void(const std::optional<std::uint64_t>&, const std::optional<std::uint64_t>&)>;
/// Some edges, ascending; their weights, or null.
template <class Id>
using TakeNeighbours = core::FunctionRef<void(std::span<const Edge<Id>>, const std::uint64_t*)>;

/// stream_neighbours with edges by the hundred. Weights come if and only if options.weighting has a rule.
template <class Id>
prepare::IngestFacts stream_neighbour_batches(core::Environment& environment, EdgeSource<Id>& source,
                                              const StreamOptions& options, BeginNeighbours begin,
                                              TakeNeighbours<Id> take);

/// Calls `begin(n, bound)` once, then `take(source, target)` for every edge, ascending by (source, target),
/// without loops and duplicates. `bound` is an upper bound of the number of edges. An unknown bound is
/// nullopt; n is nullopt if it is not known before the end of a sorted input. An input that is declared
/// sorted is not sorted again.
///
/// With options.weighting it calls `take(source, target, weight_bits)` with the lightest of parallel edges;
/// undirected: of the edges in both directions. weight_bits: the stored bits, zero-extended. Requires: the
/// source has attachments if the rule is `stored`; `take` has three parameters if and only if there is a
/// rule.
///
/// I/O: one read of the input, a second one if ids are larger than estimated by a sample
/// (prepare::with_id_bound); the sort spills keys that do not fit, and stored weights. Memory: all free
/// memory except spare_bytes; `begin` may use the memory that the sorter left (prepare::sorter_memory).
/// Threads: one thread makes the calls. Throws: DataError (id not below n; weight that is NaN or beyond the
/// limits, naming the edge), MemoryLimitError, EnvironmentError. Returns n, edges as read.
template <class Id, class Begin, class Take>
prepare::IngestFacts stream_neighbours(core::Environment& environment, EdgeSource<Id>& source,
                                       const StreamOptions& options, Begin&& begin, Take&& take) {
  constexpr bool weighted = std::invocable<Take&, Id, Id, std::uint64_t>;
  if (weighted != options.weighting.has_value())
    throw std::logic_error(source.facts().name +
                           ": neighbours with weights from edges without, or the reverse");
  return stream_neighbour_batches<Id>(environment, source, options, begin,
                                      [&](std::span<const Edge<Id>> edges, const std::uint64_t* weights) {
                                        for (std::size_t i = 0; i < edges.size(); ++i) {
                                          if constexpr (weighted) {
                                            take(edges[i].source, edges[i].target, weights[i]);
                                          } else {
                                            take(edges[i].source, edges[i].target);
                                          }
                                        }
                                      });
}

/// For a forecast, in place of stream_neighbours: reserves its memory and returns the space of its sort on
/// disk. `begin(bound)` returns what the caller holds while edges come.
template <class Id, class Begin>
[[gnu::cold]] core::SpillForecast rehearse_neighbours(core::Environment& environment, EdgeSource<Id>& source,
                                                      const StreamOptions& options,
                                                      const std::optional<std::uint64_t>& edges,
                                                      Begin&& begin) {
  const EdgeFacts& facts = source.facts();
  const std::optional<std::uint64_t> nodes = known_nodes(options.nodes, facts);
  if (streams_in_order(facts, options.directed, options.weighting)) {
    // What the lane reads ahead depends on the free memory.
    const EdgeLane<Id> lane = source.lane();
    const auto held = begin(edges.value_or(0));
    return {};
  }
  const prepare::SortSpec spec = neighbour_sort(facts, options);
  return prepare::rehearse_sort(
      environment, source, nodes, spec, neighbour_directions(spec.keys_per_edge == 2),
      memory_beside(environment, options), edges,
      [&](std::uint64_t records, const core::Reservation&) { return begin(records); });
}

}  // namespace emgraph::graph::adjacency
