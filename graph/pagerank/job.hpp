// SPDX-License-Identifier: MIT
// What a run of `pagerank` and its forecast share: the keys of the sort, its memory, the demand.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/pagerank/arc_keys.hpp"
#include "graph/pagerank/choice.hpp"
#include "graph/pagerank/in_memory.hpp"
#include "graph/pagerank/pagerank.hpp"
#include "graph/pagerank/ranges.hpp"
#include "graph/prepare/adjacency/build_rows.hpp"
#include "graph/prepare/attachment_order.hpp"
#include "graph/prepare/sort_keeper.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sinks.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::pagerank {

template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  std::optional<std::uint64_t> declared;  ///< n
  bool both;                              ///< an edge is an arc each way
  RangePlan plan;
  std::size_t memory_bytes;
  NodeSink<std::uint64_t>* sink = nullptr;
  prepare::SortKeeper* keeper = nullptr;  ///< with a checkpoint

  static Job make(core::Environment& environment, EdgeSource<Id>& source, const Options& options) {
    const auto declared = declared_nodes<Id>(options.nodes, source.facts());
    const std::size_t memory = environment.memory.available();
    return {.environment = environment,
            .source = source,
            .options = options,
            .declared = declared,
            .both = options.undirected && !source.facts().symmetric,
            .plan = RangePlan::make(memory, declared, options.range_nodes, options.weighted,
                                    options.model == MemoryModel::semi_external),
            .memory_bytes = memory};
  }

  Demand demand(const std::optional<std::uint64_t>& nodes_below) const {
    const EdgeFacts& facts = source.facts();
    Demand demand{.model = options.model,
                  .id_bytes = sizeof(Id),
                  .weighted = options.weighted,
                  .memory_bytes = memory_bytes,
                  .nodes_below = nodes_below,
                  .most_arcs = facts.edges ? facts.edges : facts.most_edges};
    if (demand.most_arcs) demand.most_arcs = core::size_product(*demand.most_arcs, both ? 2 : 1);
    return demand;
  }

  /// True if build_rows() may make the lists.
  bool may_take_rows() const { return !options.weighted && may_be_internal(options.model); }
  adjacency::RowsOptions rows_options() const {
    return {.rows = both ? adjacency::RowsOf::neighbours : adjacency::RowsOf::sources,
            .loops = true,
            .simple = false,
            .nodes = options.nodes,
            .beside_bytes_per_node = InMemory<Id, false>::bytes_per_node};
  }

  std::optional<double> tolerance() const {
    constexpr double usual_tolerance = 1e-6;
    return options.tolerance || options.iterations ? options.tolerance : usual_tolerance;
  }

  prepare::SortSpec sort_spec() const {
    prepare::SortSpec spec{.keys_per_edge = both ? 2U : 1U, .attachment_bytes = 0, .keeper = keeper};
    if (options.weighted) {
      spec.attachment_bytes = source.attachment_bytes();
      spec.compare = prepare::attachment_order(weight_type());
    }
    return spec;
  }
  /// Of the arcs, if they are weighted.
  WeightType weight_type() const {
    return options.weighted ? source.facts().layout.weight : WeightType::none;
  }
  auto directions() const {
    return [both = both](std::uint64_t from, std::uint64_t to, auto&& push) {
      push(to, from);
      if (both && from != to) push(from, to);
    };
  }
  /// The memory of the sort, and what is set aside for the vectors. `kept`: keep_while_sorting(); false
  /// afterwards if memory for it is missing. `has_vectors`: they have their memory already.
  prepare::SortMemory sort_memory(const Demand& demand, bool& kept, bool has_vectors = false) const {
    const std::uint64_t most_nodes =
        std::min(demand.nodes_below.value_or(~std::uint64_t{0}), RangePlan::most_in_one_range(memory_bytes));
    std::uint64_t spare = has_vectors ? 0 : plan.bytes_for(most_nodes);
    if (kept) {
      const std::uint64_t all = internal_bytes(demand, *demand.nodes_below, *demand.most_arcs);
      // The lanes of many threads may have taken what the sort needs.
      kept = environment.memory.available() / 2 >= all || plan.ranges(most_nodes) > 1;
      if (kept) spare = all;
    }
    core::Reservation later =
        environment.memory.reserve(static_cast<std::size_t>(spare), "the vectors of PageRank");
    return prepare::SortMemory{std::move(later), prepare::sorter_memory(environment.memory)};
  }
};

/// Calls work(SortInput<Id>, ArcKeys) with the narrowest keys. With a checkpoint the lists are written in any
/// case, those of a small graph as one range.
template <class Id, class Work>
decltype(auto) with_sort_keys(Job<Id>& job, Work&& work) {
  const auto attempt = [&, plan = job.plan](prepare::SortInput<Id> input) {
    const std::optional<std::uint64_t> below = input.bound.below;
    const bool small = keep_while_sorting(job.demand(below));
    if (job.keeper != nullptr && !job.keeper->resumed()) {
      job.plan = plan;
      if (small) job.plan.range_bits = std::min(static_cast<unsigned>(std::bit_width(*below)), 32U);
    }
    const unsigned range_bits = small && job.keeper == nullptr ? 64 : job.plan.range_bits;
    return with_arc_keys<Id>(below, range_bits,
                             [&](const auto& keys) { return work(std::move(input), keys); });
  };
  return prepare::with_id_bound(job.environment, job.source, job.declared, job.keeper, attempt);
}

}  // namespace emgraph::graph::pagerank
