// SPDX-License-Identifier: MIT
// The bytes of codes, labels and sets, and how the memory is divided among them.
#include "graph/mst/choice.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/sort/bucket_sort.hpp"
#include "core/sort/merge_plan.hpp"
#include "core/sort/sort_plan.hpp"
#include "graph/mst/edge_feed.hpp"
#include "graph/mst/light_labels.hpp"

namespace emgraph::graph::mst {
namespace {

using core::format_size;
using core::page_bytes;

// The first batch has so many edges that their forest drops most other edges, and so few that reducing them
// is cheap. Measured: CPU s of whole runs with hash weights, kron22 and rand131M (EPYC, 2 cores, loaded
// machine), by edges per node of a batch and levels of labels: 1 and 4: 2.0, 14.7; 2 and 3: 1.8, 10.7; 2 and
// 5: 2.1, 11.9; 3 and 3: 1.7, 8.1; 4 and 5: 1.7, 9.0.
constexpr std::size_t batch_per_node = 3;
constexpr std::size_t least_batch = 512 * 1024;
constexpr std::size_t least_pool = 4096;

/// The least memory of a sort by weight.
std::size_t least_sorter_bytes(const Demand& demand, unsigned threads) {
  core::SortDemand sort;
  sort.record_bytes = demand.code_bytes;
  // Codes of three words go through a merge sorter, which needs no more than integers of two words.
  sort.sort_fixed_bytes = demand.code_bytes == 8 ? core::BucketSort<std::uint64_t>::fixed_bytes(0)
                                                 : core::BucketSort<core::uint128>::fixed_bytes(0);
  sort.threads = threads;
  return core::SortPlan::least_bytes(sort);
}
std::size_t set_bytes(std::uint64_t nodes) {
  return core::round_up(core::size_sum(core::size_product(nodes, 4), std::uint64_t{1}), page_bytes);
}

/// The rest is left for later reservations: output, lists of blocks.
std::size_t usable(const Demand& demand) {
  return demand.memory_bytes - std::min<std::size_t>(demand.memory_bytes / 8, 32 * core::MiB);
}

}  // namespace

std::optional<BatchPlan> plan_batches(const Demand& demand, const Options& options) {
  if (options.model == MemoryModel::external) return std::nullopt;
  const std::size_t memory = usable(demand);
  const std::size_t room = demand.threads * FeedStep::most_edges;  // edges that may be added to a full pool
  const auto pool_bytes = [&](std::uint64_t codes) {
    return core::round_up(core::size_product(core::size_sum(codes, room), demand.code_bytes), page_bytes);
  };
  const std::uint64_t all = demand.edges.value_or(std::uint64_t{1} << 48);
  if (options.model == MemoryModel::internal && demand.edges && demand.nodes && !demand.nodes_guessed) {
    const std::uint64_t need = core::size_sum(pool_bytes(all), set_bytes(*demand.nodes));
    if (need > memory) {
      throw missing_memory({model_option(options.model), "about ", core::size_sum(need, need / 7)},
                           demand.memory_bytes);
    }
  }
  BatchPlan plan;
  if (!demand.nodes) {
    // Half for edges; the other half is for nodes, whose number is not known yet.
    if (memory / 2 < pool_bytes(least_pool)) return std::nullopt;
    plan.pool_codes = static_cast<std::size_t>(
        std::min<std::uint64_t>(core::size_sum(all, room), memory / 2 / demand.code_bytes));
    plan.first_codes = plan.next_codes = plan.pool_codes - room;
    plan.levels = LightLabels<std::uint64_t>::most_levels;
    return plan;
  }
  const std::uint64_t nodes = *demand.nodes;
  if (nodes > std::uint64_t{1} << 32 || set_bytes(nodes) > memory) return std::nullopt;
  const std::size_t left = memory - set_bytes(nodes);
  const std::uint64_t least = std::min(all, std::max<std::uint64_t>(2 * nodes, least_pool));
  if (pool_bytes(least) > left) return std::nullopt;
  const std::uint64_t batch = std::max<std::uint64_t>(batch_per_node * nodes, least_batch);
  const std::uint64_t wish = std::min(all, batch + nodes);
  // Memory goes to labels before a larger pool: labels keep edges out of the pool.
  const std::size_t level = LightLabels<std::uint64_t>::bytes_for(nodes);
  if (all > batch) {
    plan.levels = std::min((left - pool_bytes(least)) / level, LightLabels<std::uint64_t>::most_levels);
  }
  const std::size_t for_pool = left - plan.levels * level;
  plan.pool_codes =
      static_cast<std::size_t>(
          std::max(least, std::min<std::uint64_t>(wish, (for_pool - pool_bytes(0)) / demand.code_bytes))) +
      room;
  plan.first_codes = static_cast<std::size_t>(std::min<std::uint64_t>(batch, plan.pool_codes - room));
  plan.next_codes = static_cast<std::size_t>(batch);
  return plan;
}

bool prefers_ranges(const Demand& demand, const Options& options, bool quick_to_reread, bool sampled) {
  // Measured, hash weights, -M 1G, wall and CPU s by batches and by ranges (2 virtual cores of an EPYC 7003):
  // 30 M random edges of 3 M nodes 3.3, 5.7 and 2.2, 2.9; Kronecker graph of scale 21 1.95, 3.3 and 1.8, 2.5.
  // Few edges are read once, for the sake of the internal model.
  constexpr std::uint64_t least_edges = 8'000'000;
  constexpr std::uint64_t least_degree = 6;
  constexpr std::uint64_t least_nodes =
      100'000;  // labels of fewer stay in the cache, and a sample is coarse for them
  if (options.model != MemoryModel::automatic && options.model != MemoryModel::semi_external) return false;
  // With unit weights the light edges are those of the smallest ids: they need not connect most nodes.
  if (options.weighting.rule == WeightRule::unit) return false;
  if (!quick_to_reread || !sampled || !demand.nodes || demand.nodes_guessed || !demand.edges) return false;
  if (*demand.nodes < least_nodes) return false;
  if (*demand.edges < std::max(least_edges, core::size_product(least_degree, *demand.nodes))) return false;
  return *demand.nodes <= std::uint64_t{1} << 32 && set_bytes(*demand.nodes) <= usable(demand) / 2;
}

unsigned sorter_threads(const Demand& demand, std::size_t memory_bytes) {
  unsigned threads = demand.threads;
  while (threads > 0 && least_sorter_bytes(demand, threads) > memory_bytes) --threads;
  return threads;
}

ReductionPlan plan_before_nodes(const Demand& demand) {
  ReductionPlan plan;
  plan.sorter_bytes = usable(demand) / 8 * 5;
  plan.sorter_threads = std::max(1U, sorter_threads(demand, plan.sorter_bytes));
  return plan;
}

namespace {

/// The arguments of plan_ranges.
struct RangeDemand {
  const Demand& demand;
  std::uint64_t nodes;
  std::size_t node_bytes;
  std::size_t moved_bytes;
};

/// The plan if all nodes are one range. nullopt: no thread can sort in what the links leave.
std::optional<ReductionPlan> plan_one_range(const RangeDemand& ranges, std::size_t memory,
                                            std::uint64_t links) {
  const Demand& demand = ranges.demand;
  constexpr std::size_t spool_bytes = 512 * core::KiB;  // blocks to write the forest and heavy edges
  const std::size_t spool = std::min(memory / 8, spool_bytes);
  ReductionPlan plan{.ranges = 1, .range_nodes = std::max<std::uint64_t>(ranges.nodes, 1)};
  const std::size_t bits = core::round_up(static_cast<std::size_t>(ranges.nodes / 8) + 8, page_bytes);
  plan.sorter_bytes = memory - static_cast<std::size_t>(links) - spool;
  plan.sorter_bytes -= std::min(plan.sorter_bytes, bits);
  if (demand.edges) {
    // At most four edges per node are light, and few heavy ones are kept.
    const std::uint64_t codes = std::min(*demand.edges, core::size_product(ranges.nodes, 4));
    plan.sorter_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(
        plan.sorter_bytes, core::size_sum(core::size_product(codes, 2 * demand.code_bytes), 32 * core::MiB)));
  }
  plan.block_bytes = core::round_down(std::clamp(spool / 8, page_bytes, 64 * core::KiB), page_bytes);
  plan.sorter_threads = sorter_threads(demand, plan.sorter_bytes);
  if (plan.sorter_threads == 0) return std::nullopt;
  return plan;
}

/// The largest blocks of edges that move between the ranges of the plan; 0 if none are small enough.
std::size_t moved_block_bytes(const ReductionPlan& plan, std::size_t memory, std::size_t moved_bytes) {
  // Two blocks each for the ranges that edges move to, in an eighth of the memory; and two each to read
  // the edges that a range gets from the others.
  const std::uint64_t fair = memory / 8 / 2 / plan.ranges;
  for (std::size_t block = 256 * core::KiB; block >= page_bytes; block -= page_bytes) {
    if (block > fair) continue;
    try {
      if (core::plan_merge_sort(plan.merge_bytes, block, moved_bytes).fan_in >= plan.ranges) return block;
    } catch (const core::MemoryLimitError&) {
      continue;
    }
  }
  return 0;
}

/// The plan for as few ranges of nodes as the memory allows. nullopt: it is too small.
std::optional<ReductionPlan> plan_several_ranges(const RangeDemand& ranges, std::size_t memory) {
  const std::uint64_t nodes = ranges.nodes;
  ReductionPlan plan;
  const std::uint64_t fit = std::max<std::uint64_t>(memory / 8 * 3 / ranges.node_bytes, 1);
  plan.ranges = std::max<std::uint64_t>(core::divide_up(nodes, fit), 2);
  plan.range_nodes = core::divide_up(nodes, plan.ranges);
  plan.sorter_bytes = memory / 8 * 5;
  plan.merge_bytes = core::round_down(memory / 4, page_bytes);
  // No more pairs than there are edges, if m is known, or pairs of nodes.
  const std::uint64_t pairs = std::min({ranges.demand.edges.value_or(~std::uint64_t{0}),
                                        core::size_product(nodes, nodes), std::uint64_t{1} << 48});
  plan.seen_pairs = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      std::bit_ceil(pairs), 64,
      std::bit_floor(std::max<std::size_t>(memory / 16 / (2 * ranges.node_bytes), 64))));
  plan.block_bytes = moved_block_bytes(plan, memory, ranges.moved_bytes);
  plan.sorter_threads = sorter_threads(ranges.demand, plan.sorter_bytes);
  if (plan.block_bytes == 0 || plan.sorter_threads == 0) return std::nullopt;
  return plan;
}

/// One range if the links of all nodes fit. nullopt: the memory is too small.
std::optional<ReductionPlan> divide_memory(const RangeDemand& ranges, MemoryModel model, std::size_t memory) {
  const std::uint64_t links = core::round_up(
      core::size_product(std::max<std::uint64_t>(ranges.nodes, 1), ranges.node_bytes), page_bytes);
  const bool one = model == MemoryModel::semi_external ? links <= memory / 4 * 3 : links <= memory / 2;
  if ((model == MemoryModel::internal || model == MemoryModel::semi_external) && !one) return std::nullopt;
  if (ranges.nodes < 2 || (one && model != MemoryModel::external)) {
    return plan_one_range(ranges, memory, links);
  }
  return plan_several_ranges(ranges, memory);
}

}  // namespace

ReductionPlan plan_ranges(const Demand& demand, const Options& options, std::uint64_t nodes,
                          std::size_t node_bytes, std::size_t moved_bytes) {
  const RangeDemand ranges{demand, nodes, node_bytes, moved_bytes};
  const std::size_t memory = usable(demand);
  if (const auto plan = divide_memory(ranges, options.model, memory)) return *plan;
  // Up to 2^64: an absurd n needs more memory than any machine has.
  std::uint64_t least = memory;
  bool enough = false;
  while (!enough && least <= ~std::uint64_t{0} / 8 * 7) {
    least += std::max<std::uint64_t>(64 * core::KiB, least / 8);
    enough = divide_memory(ranges, options.model, static_cast<std::size_t>(least)).has_value();
  }
  throw missing_memory({.what = "a spanning forest of " + core::format_count(nodes) + " nodes",
                        .precision = enough ? "about " : "more than ",
                        .bytes = core::size_sum(least, least / 7),
                        .advice = "; if the ids are sparse, --relabel numbers them without gaps"},
                       demand.memory_bytes);
}

ModelChoice describe_batches(const Demand& demand, const Options& options, std::uint64_t nodes,
                             std::uint64_t edges) {
  const std::uint64_t need = core::size_sum(core::size_product(edges, demand.code_bytes), set_bytes(nodes));
  const std::string memory = format_size(demand.memory_bytes) + std::string(forced_suffix(options.model));
  const ModelNeed semi_external{
      MemoryModel::semi_external, set_bytes(nodes),
      "4 bytes per node (" + format_size(set_bytes(nodes)) + ") and a few forests fit in " + memory};
  if (options.model == MemoryModel::semi_external) return first_that_fits({semi_external}, usable(demand));
  return first_that_fits(
      {{MemoryModel::internal, need, "edges and nodes (" + format_size(need) + ") fit in " + memory},
       semi_external},
      usable(demand));
}

ModelChoice describe_ranges(const Demand& demand, const Options& options, std::uint64_t nodes,
                            std::size_t node_bytes, const ReductionPlan& plan) {
  const std::string each = std::to_string(node_bytes) + " bytes per node (" +
                           format_size(core::size_product(nodes, node_bytes)) + ")";
  const std::string memory = format_size(demand.memory_bytes);
  if (plan.ranges == 1) {
    const bool forests_fit = plan_batches(demand, options).has_value();
    return {MemoryModel::semi_external,
            each + " fit in " + memory +
                (forests_fit ? ", and the edges are read twice" : ", a few forests do not") +
                std::string(forced_suffix(options.model))};
  }
  return {MemoryModel::external, each + " of " + memory + "; nodes are taken in " +
                                     core::format_count(plan.ranges) + " ranges" +
                                     std::string(forced_suffix(options.model))};
}

}  // namespace emgraph::graph::mst
