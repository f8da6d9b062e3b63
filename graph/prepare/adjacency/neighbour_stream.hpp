// SPDX-License-Identifier: MIT
// Converts any edge source to the sorted, simple edges of an adjacency, with weights or without.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
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
  prepare::SortSpec spec{.keys_per_edge = both ? 2U : 1U, .unique = true, .keeper = options.keeper};
  if (!options.weighting) return spec;
  const WeightType type =
      stored_weights(options.weighting) ? options.weighting->type(facts.layout.weight) : WeightType::none;
  spec.compare = prepare::attachment_order(type);
  spec.attachment_bytes = type == WeightType::none ? 0 : weight_bytes(type);
  return spec;
}

/// The part of stream_neighbours for sources that have the order of an adjacency.
template <class Id, class Take>
prepare::IngestFacts stream_in_order(core::Environment& environment, EdgeSource<Id>& source,
                                     const std::optional<std::uint64_t>& nodes, Take&& take) {
  const EdgeFacts& facts = source.facts();
  prepare::IngestFacts read;
  const EdgeLane<Id> lane = source.lane();
  core::Phase phase(environment.progress, "build adjacency", facts.edges.value_or(0), "edges");
  Id last_source = 0;
  Id last_target = 0;
  bool first = true;
  for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
    read.merge({batch.size(), prepare::check_ids(batch, nodes, lane.place(facts.name))});
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

/// The same with weights. Parallel edges are neighbours, but their weights have any order.
template <class Id, class Take>
prepare::IngestFacts stream_in_order(core::Environment& environment, EdgeSource<Id>& source,
                                     const std::optional<std::uint64_t>& nodes, const EdgeWeights& weights,
                                     const WeightLimits& limits, Take&& take) {
  const EdgeFacts& facts = source.facts();
  prepare::IngestFacts read;
  const EdgeLane<Id> lane = source.lane();
  core::Phase phase(environment.progress, "build adjacency", facts.edges.value_or(0), "edges");
  weights.with_bits([&](const auto& bits_of) {
    std::optional<Edge<Id>> waiting;
    std::uint64_t lightest = 0;
    for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
      read.merge({batch.size(), prepare::check_ids(batch, nodes, lane.place(facts.name))});
      check_weights(batch, weights, limits, facts.name, lane.first_edge());
      for (const Edge<Id>& edge : batch) {
        if (edge.source == edge.target) continue;
        const std::uint64_t bits = bits_of(edge);
        if (waiting && *waiting == edge) {
          if (lighter(weights.type(), bits, lightest)) lightest = bits;
          continue;
        }
        if (waiting) take(waiting->source, waiting->target, lightest);
        waiting = edge;
        lightest = bits;
      }
      phase.advance(batch.size());
    }
    if (waiting) take(waiting->source, waiting->target, lightest);
  });
  return read;
}

/// The part of stream_neighbours for sources that must be sorted, with weights.
template <class Id, class Visit, class Memory, class Begin, class Take>
prepare::IngestFacts stream_sorted(core::Environment& environment, EdgeSource<Id>& source,
                                   const std::optional<std::uint64_t>& nodes, const prepare::SortSpec& spec,
                                   const EdgeWeights& weights, const WeightLimits& limits, const Visit& visit,
                                   const Memory& memory, Begin&& begin, Take&& take) {
  const std::size_t bytes = *spec.attachment_bytes;
  const auto sort_with = [&](prepare::SortInput<Id> input, const auto& keys) {
    const auto push_batch = [&](unsigned, auto& lane, const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
      check_weights(batch, weights, limits, source.facts().name, first_edge);
      const auto push_all = [&](const auto& push) {
        for (const Edge<Id>& edge : batch) {
          visit(edge.source, edge.target,
                [&](std::uint64_t a, std::uint64_t b) { push(keys.make(a, b), edge); });
        }
      };
      const auto push_with = [&]<class Bits>(Bits) {
        push_all([&](auto key, const Edge<Id>& edge) {
          Bits weight;
          std::memcpy(&weight, attachment_of(edge), sizeof weight);
          lane.push_with(key, weight);
        });
      };
      if (bytes == 0) return push_all([&](auto key, const Edge<Id>&) { lane.push(key); });
      bytes == 4 ? push_with(std::uint32_t{}) : push_with(std::uint64_t{});
    };
    auto edges = prepare::sort_edges(std::move(input), keys, spec, visit, memory, push_batch);
    begin(std::optional(edges.read().nodes(nodes)), std::optional(edges.records()));
    core::Phase phase(environment.progress, "build adjacency", edges.records(), "edges");
    if (spec.keeper != nullptr) phase.advance(spec.keeper->records());
    const auto take_all = [&](const auto& weight_of) {
      for (auto batch = edges.next(); !batch.empty(); batch = edges.next()) {
        const std::byte* const attachments = edges.attachments(bytes);
        for (std::size_t i = 0; i < batch.size(); ++i) {
          const Edge<Id> edge{static_cast<Id>(keys.first(batch[i])), static_cast<Id>(keys.second(batch[i]))};
          take(edge.source, edge.target, weight_of(edge, attachments + i * bytes));
        }
        phase.advance(batch.size());
        edges.consumed(batch, in_pages, {});
      }
    };
    const auto take_with = [&]<class Bits>(Bits) {
      take_all([](const Edge<Id>&, const std::byte* attachment) {
        Bits weight;
        std::memcpy(&weight, attachment, sizeof weight);
        return std::uint64_t{weight};
      });
    };
    if (bytes == 0) {
      weights.with_computed([&](const auto& bits_of) {
        take_all([&](const Edge<Id>& edge, const std::byte*) { return bits_of(edge); });
      });
    } else {
      bytes == 4 ? take_with(std::uint32_t{}) : take_with(std::uint64_t{});
    }
    return edges.read();
  };
  const auto attempt = [&](prepare::SortInput<Id> input) {
    return prepare::with_edge_keys<Id>(input.bound.below,
                                       [&](const auto& keys) { return sort_with(std::move(input), keys); });
  };
  return prepare::with_id_bound(environment, source, nodes, spec.keeper, attempt);
}

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
  const EdgeFacts& facts = source.facts();
  if (weighted != options.weighting.has_value() ||
      (stored_weights(options.weighting) && source.attachment_bytes() < weight_bytes(facts.layout.weight))) {
    throw std::logic_error(facts.name + ": neighbours with weights from edges without, or the reverse");
  }
  const std::optional<std::uint64_t> nodes = options.nodes ? options.nodes : facts.nodes;
  const bool in_order = streams_in_order(facts, options.directed, options.weighting);
  if (in_order) begin(nodes, facts.edges);
  const prepare::SortSpec spec = neighbour_sort(facts, options);
  const auto visit = neighbour_directions(spec.keys_per_edge == 2);
  const auto memory = memory_beside(environment, options);
  if constexpr (weighted) {
    const EdgeWeights weights(*options.weighting, facts.layout.weight);
    if (in_order) return stream_in_order(environment, source, nodes, weights, options.limits, take);
    return stream_sorted(environment, source, nodes, spec, weights, options.limits, visit, memory, begin,
                         take);
  } else {
    if (in_order) return stream_in_order(environment, source, nodes, take);
    return prepare::with_sorted_edges(environment, source, nodes, spec, visit, memory, [&](auto& edges) {
      begin(std::optional(edges.read().nodes(nodes)), std::optional(edges.records()));
      core::Phase phase(environment.progress, "build adjacency", edges.records(), "edges");
      edges.for_each(
          phase,
          [&](std::uint64_t from, std::uint64_t to) { take(static_cast<Id>(from), static_cast<Id>(to)); },
          in_pages);
      return edges.read();
    });
  }
}

/// For a forecast, in place of stream_neighbours: reserves its memory and returns the space of its sort on
/// disk. `begin(bound)` returns what the caller holds while edges come.
template <class Id, class Begin>
core::SpillForecast rehearse_neighbours(core::Environment& environment, EdgeSource<Id>& source,
                                        const StreamOptions& options,
                                        const std::optional<std::uint64_t>& edges, Begin&& begin) {
  const EdgeFacts& facts = source.facts();
  const std::optional<std::uint64_t> nodes = options.nodes ? options.nodes : facts.nodes;
  if (streams_in_order(facts, options.directed, options.weighting)) {
    const auto held = begin(edges.value_or(0));
    const EdgeLane<Id> lane = source.lane();
    return {};
  }
  const prepare::SortSpec spec = neighbour_sort(facts, options);
  return prepare::rehearse_sort(
      environment, source, nodes, spec, neighbour_directions(spec.keys_per_edge == 2),
      memory_beside(environment, options), edges,
      [&](std::uint64_t records, const core::Reservation&) { return begin(records); });
}

}  // namespace emgraph::graph::adjacency
