// SPDX-License-Identifier: MIT
// The choice between passing sorted edges on, sorting by key, and sorting by weight.
#include "graph/prepare/sort.hpp"

#include <memory>

#include "core/base/error.hpp"
#include "graph/prepare/sort_by_weight.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::prepare {
namespace {

/// Does the input come in the wanted order, so that filters are all that is left to do?
bool already_sorted(const EdgeFacts& facts, const SortOptions& options) {
  const bool orientation_kept = options.orientation == Orientation::as_stored ||
                                (options.orientation == Orientation::low && facts.oriented_low);
  const bool directions_kept = !options.symmetrize || facts.symmetric;
  return facts.order == options.order && options.order != EdgeOrder::weight && orientation_kept &&
         directions_kept;
}

/// Drops loops and repeated edges of a sorted input. Equal edges come in the order of their weights only from
/// our own sort, so the lightest is looked for.
template <class R>
SortResult pass_on(core::Environment& environment, EdgeSource<R>& source, const SortOptions& options,
                   const std::optional<std::uint64_t>& nodes, const EdgeConsumer<R>& consume) {
  const core::CompareAttachments compare = attachment_order(source.facts().layout.weight);
  const std::unique_ptr<EdgeLane<R>> lane = source.lane();
  core::Phase phase(environment.progress, "filter and write", source.facts().edges.value_or(0), "edges");
  IngestFacts read;
  SortResult result;
  std::vector<R> kept;
  const auto hand_on = [&] {
    if (!kept.empty()) consume(kept);
    result.edges_out += kept.size();
    kept.clear();
  };
  std::optional<R> waiting;  // with `unique`: the best edge so far of its source and target
  for (std::span<const R> batch; !(batch = lane->next()).empty();) {
    read.merge({batch.size(), check_ids(batch, nodes, source.facts().name, lane->first_edge())});
    for (const R& edge : batch) {
      if (options.no_loops && edge.source == edge.target) {
        ++result.loops_removed;
      } else if (!options.unique) {
        kept.push_back(edge);
      } else if (waiting && waiting->source == edge.source && waiting->target == edge.target) {
        ++result.duplicates_removed;
        if constexpr (R::attachment_bytes > 0) {
          if (compare(edge.attachment.data(), waiting->attachment.data(), R::attachment_bytes) < 0)
            waiting = edge;
        }
      } else {
        if (waiting) kept.push_back(*waiting);
        waiting = edge;
      }
    }
    hand_on();
    phase.advance(batch.size());
  }
  if (waiting) kept.push_back(*waiting);
  hand_on();
  result.nodes = read.nodes(nodes);
  result.edges = read.edges;
  result.sorted_input_reused = true;
  return result;
}

/// Sorts by source or target with the keys that the ids need.
template <class R>
SortResult sort_ends(core::Environment& environment, EdgeSource<R>& source, const SortOptions& options,
                     const std::optional<std::uint64_t>& nodes, const Degrees* degrees,
                     const EdgeConsumer<R>& consume) {
  return with_id_bound(source, nodes, [&](const IdBound& bound) {
    return with_edge_keys<typename R::id_type>(bound.below, [&](const auto& keys) {
      return sort_by_key(environment, source, options, bound, nodes, degrees, keys, consume);
    });
  });
}

/// Counts degrees in a first pass; an input that comes only once is spooled to the temporary disks meanwhile.
template <class R>
SortResult sort_by_degree(core::Environment& environment, EdgeSource<R>& source, const SortOptions& options,
                          const std::optional<std::uint64_t>& nodes, const EdgeConsumer<R>& consume) {
  if (!nodes) {
    throw core::UsageError(source.facts().name + ": --orient degree needs the number of nodes; give --nodes");
  }
  Degrees degrees(environment.memory, *nodes);
  TwoReadings<R> readings(environment, source);
  readings.first("count degrees", nodes, [&](std::span<const R> batch) {
    for (const R& edge : batch) degrees.count(edge.source, edge.target);
  });
  return sort_ends<R>(environment, readings.second(), options, nodes, &degrees, consume);
}

/// Whether the edges fitted into memory is known when they are sorted.
ModelChoice describe_choice(const core::Environment& environment, bool sorted_input_reused) {
  const bool spilled = environment.blocks.peak_bytes() > 0;
  return {.model = spilled ? MemoryModel::external : MemoryModel::internal,
          .reason = sorted_input_reused ? "one pass over sorted edges"
                    : spilled           ? "the edges do not fit into -M"
                                        : "the edges fit into -M"};
}

template <class R>
SortResult sort_source(core::Environment& environment, EdgeSource<R>& source, const SortOptions& options,
                       const std::optional<std::uint64_t>& nodes, const EdgeConsumer<R>& consume) {
  if (already_sorted(source.facts(), options)) return pass_on(environment, source, options, nodes, consume);
  if (options.orientation == Orientation::degree)
    return sort_by_degree(environment, source, options, nodes, consume);
  return sort_ends<R>(environment, source, options, nodes, nullptr, consume);
}

}  // namespace

EdgeFacts sorted_facts(const EdgeFacts& input, const SortOptions& options) {
  EdgeFacts facts = input;
  const bool filtered = options.unique || options.no_loops || options.symmetrize;
  if (filtered) facts.edges.reset();
  if (options.nodes) facts.nodes = options.nodes;
  facts.order = options.order;
  facts.unique = options.unique || (input.unique && options.orientation == Orientation::as_stored &&
                                    (!options.symmetrize || input.symmetric));
  facts.no_loops = input.no_loops || options.no_loops;
  facts.oriented_low =
      options.orientation == Orientation::low ||
      (input.oriented_low && !options.symmetrize && options.orientation == Orientation::as_stored);
  facts.symmetric = options.symmetrize || (input.symmetric && options.orientation == Orientation::as_stored);
  return facts;
}

template <class R>
SortResult sort(core::Environment& environment, EdgeSource<R>& edges, const SortOptions& options,
                const std::function<void(std::span<const R>)>& consume) {
  const std::optional<std::uint64_t> nodes = options.nodes ? options.nodes : edges.facts().nodes;
  if (options.order != EdgeOrder::weight) {
    SortResult result = sort_source(environment, edges, options, nodes, consume);
    result.choice = describe_choice(environment, result.sorted_input_reused);
    return result;
  }
  if constexpr (R::attachment_bytes == 0) {
    throw core::UsageError(edges.facts().name + ": sorting by weight needs weights");
  } else {
    // Loops, duplicates and directions are matters of the ends: sorted by these first when asked for.
    const EdgeFacts& facts = edges.facts();
    const std::size_t free = environment.memory.available();
    WeightSort<R> by_weight(environment, facts.layout.weight, free / 2);
    SortOptions by_source = options;
    by_source.order = EdgeOrder::source_target;
    SortResult result = sort_source<R>(environment, edges, by_source, nodes,
                                       [&](std::span<const R> batch) { by_weight.push(batch); });
    result.edges_out = by_weight.finish(consume);
    result.sorted_input_reused = false;
    result.choice = describe_choice(environment, false);
    return result;
  }
}

template SortResult sort(core::Environment&, EdgeSource<Record<std::uint32_t, 0>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint32_t, 0>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint32_t, 4>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint32_t, 4>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint32_t, 8>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint32_t, 8>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint32_t, 16>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint32_t, 16>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint32_t, 32>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint32_t, 32>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint32_t, 64>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint32_t, 64>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint64_t, 0>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint64_t, 0>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint64_t, 4>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint64_t, 4>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint64_t, 8>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint64_t, 8>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint64_t, 16>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint64_t, 16>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint64_t, 32>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint64_t, 32>>&);
template SortResult sort(core::Environment&, EdgeSource<Record<std::uint64_t, 64>>&, const SortOptions&,
                         const EdgeConsumer<Record<std::uint64_t, 64>>&);

}  // namespace emgraph::graph::prepare
