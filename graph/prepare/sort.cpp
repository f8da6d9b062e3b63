// SPDX-License-Identifier: MIT
// Filters sorted input; sorts other input by key or by weight.
#include "graph/prepare/sort.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "graph/prepare/sort_by_key.hpp"
#include "graph/prepare/sort_by_weight.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::prepare {
namespace {

/// True if the input has the requested order and only has to be filtered.
bool already_sorted(const EdgeFacts& facts, std::size_t attachment_bytes, const SortOptions& options) {
  const bool orientation_kept = options.orientation == Orientation::as_stored ||
                                (options.orientation == Orientation::low && facts.oriented_low);
  const bool directions_kept = !doubles_edges(options, facts, attachment_bytes);
  return facts.order == options.order && options.order != EdgeOrder::weight && orientation_kept &&
         directions_kept;
}

/// Drops loops and repeated edges of a sorted input. Parallel edges of a foreign file have any order of
/// weights, so the lightest is searched for.
template <class Id>
SortResult pass_on(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                   const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume) {
  const core::CompareAttachments compare = attachment_order(source.facts().layout.weight);
  const core::PairShape& shape = source.shape();
  const EdgeLane<Id> lane = source.lane();
  core::Phase phase(environment.progress, "filter and write", source.facts().edges.value_or(0), "edges");
  IngestFacts read;
  SortResult result;
  std::vector<std::byte> kept;
  std::size_t kept_records = 0;
  const auto keep = [&](const Edge<Id>& edge) {
    std::byte* const to = kept.data() + kept_records++ * shape.row_bytes;
    std::memcpy(to, &edge, sizeof edge);
    core::copy_attachment(to + sizeof edge, attachment_of(edge), shape.attachment_bytes);
  };
  const auto hand_on = [&] {
    if (kept_records > 0) consume(shape, {kept.data(), kept_records});
    result.edges_out += kept_records;
    kept_records = 0;
  };
  // With `unique`: the least edge so far among those with its source and target.
  std::vector<std::byte> best(shape.row_bytes);
  auto& waiting = *reinterpret_cast<Edge<Id>*>(best.data());
  bool has_waiting = false;
  const auto wait_with = [&](const Edge<Id>& edge) {
    std::memcpy(best.data(), &edge, sizeof edge);
    core::copy_attachment(best.data() + sizeof edge, attachment_of(edge), shape.attachment_bytes);
    has_waiting = true;
  };
  for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
    read.merge({batch.size(), check_ids(batch, nodes, source.facts().name, lane.first_edge())});
    kept.resize(std::max(kept.size(), (batch.size() + 1) * shape.row_bytes));
    for (const Edge<Id>& edge : batch) {
      if (options.no_loops && edge.source == edge.target) {
        ++result.loops_removed;
      } else if (!options.unique) {
        keep(edge);
      } else if (has_waiting && waiting == edge) {
        ++result.duplicates_removed;
        if (shape.attachment_bytes > 0 &&
            compare(attachment_of(edge), attachment_of(waiting), shape.attachment_bytes) < 0) {
          wait_with(edge);
        }
      } else {
        if (has_waiting) keep(waiting);
        wait_with(edge);
      }
    }
    hand_on();
    phase.advance(batch.size());
  }
  kept.resize(std::max(kept.size(), shape.row_bytes));
  if (has_waiting) keep(waiting);
  hand_on();
  result.nodes = read.nodes(nodes);
  result.edges = read.edges;
  result.sorted_input_reused = true;
  return result;
}

/// Counts degrees in a first pass, which spools an input that cannot be rewound to the temporary disks.
template <class Id>
SortResult sort_by_degree(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                          const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume) {
  if (!nodes) {
    throw core::UsageError(source.facts().name + ": --orient degree needs the number of nodes; give --nodes");
  }
  Degrees degrees(environment.memory, *nodes);
  TwoReadings<Id> readings(environment, source);
  readings.first("count degrees", nodes, [&](const EdgeBatch<Id>& batch) {
    for (const Edge<Id>& edge : batch) degrees.count(edge.source, edge.target);
  });
  return sort_by_key(environment, readings.second(), options, nodes, &degrees, consume);
}

/// Whether the edges fitted into memory is known when they are sorted.
ModelChoice describe_choice(const core::Environment& environment, bool sorted_input_reused) {
  const bool spilled = environment.blocks.peak_bytes() > 0;
  return {.model = spilled ? MemoryModel::external : MemoryModel::internal,
          .reason = sorted_input_reused ? "one pass over sorted edges"
                    : spilled           ? "the edges do not fit into -M"
                                        : "the edges fit into -M"};
}

template <class Id>
SortResult sort_source(core::Environment& environment, EdgeSource<Id>& source, const SortOptions& options,
                       const std::optional<std::uint64_t>& nodes, const RecordConsumer& consume) {
  if (already_sorted(source.facts(), source.attachment_bytes(), options)) {
    return pass_on(environment, source, options, nodes, consume);
  }
  if (options.orientation == Orientation::degree)
    return sort_by_degree(environment, source, options, nodes, consume);
  return sort_by_key(environment, source, options, nodes, nullptr, consume);
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

template <class Id>
SortResult sort(core::Environment& environment, EdgeSource<Id>& edges, const SortOptions& options,
                const RecordConsumer& consume) {
  const std::optional<std::uint64_t> nodes = options.nodes ? options.nodes : edges.facts().nodes;
  if (options.order != EdgeOrder::weight) {
    SortResult result = sort_source(environment, edges, options, nodes, consume);
    result.choice = describe_choice(environment, result.sorted_input_reused);
    return result;
  }
  if (edges.attachment_bytes() == 0) {
    throw core::UsageError(edges.facts().name + ": sorting by weight needs weights");
  }
  // Dropping loops and duplicates and adding directions depend on the ends, so edges are first sorted by
  // ends.
  const auto by_weight = make_weight_sort(environment, edges.shape(), edges.facts().layout.weight,
                                          environment.memory.available() / 2);
  SortOptions by_source = options;
  by_source.order = EdgeOrder::source_target;
  SortResult result =
      sort_source(environment, edges, by_source, nodes,
                  [&](const core::PairShape&, const RecordBatch& batch) { by_weight->push(batch); });
  result.edges_out = by_weight->finish(consume);
  result.sorted_input_reused = false;
  result.choice = describe_choice(environment, false);
  return result;
}

template SortResult sort(core::Environment&, EdgeSource<std::uint32_t>&, const SortOptions&,
                         const RecordConsumer&);
template SortResult sort(core::Environment&, EdgeSource<std::uint64_t>&, const SortOptions&,
                         const RecordConsumer&);

}  // namespace emgraph::graph::prepare
