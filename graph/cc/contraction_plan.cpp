// SPDX-License-Identifier: MIT
// Half of the memory is for the ids of a range: with fewer ranges blocks are larger and edges are passed on
// less often.
#include "graph/cc/contraction_plan.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/cc/range_pairs.hpp"

namespace emgraph::graph::cc {
namespace {

constexpr std::size_t most_block_bytes = core::MiB;
constexpr std::size_t most_run_block_bytes = core::MiB;
// Blocks for read-ahead, for reads in flight, and for writes.
constexpr std::size_t spare_blocks = 8;

/// The list of all blocks that the edges can take on disk. Edges that are passed on replace those taken in.
std::size_t list_bytes(const ContractionDemand& demand, const ContractionPlan& plan) {
  const std::uint64_t pairs = plan.ranges == 1 ? 0 : demand.edges.value_or(0);
  return static_cast<std::size_t>(pairs / (plan.block_bytes / plan.pair_bytes) * sizeof(core::ChainBlock) *
                                  5 / 4);
}

/// A plan for these threads and this memory; nullopt if the memory does not suffice.
std::optional<ContractionPlan> try_plan(const ContractionDemand& demand, std::size_t memory_bytes,
                                        unsigned threads) {
  ContractionPlan plan;
  plan.nodes = demand.nodes;
  plan.threads = threads;
  plan.id_bits = static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(demand.nodes, 2) - 1));
  plan.cell_shift =
      plan.id_bits > ContractionPlan::most_cell_bits ? plan.id_bits - ContractionPlan::most_cell_bits : 0;
  const std::uint64_t cell = std::uint64_t{1} << plan.cell_shift;
  // A pair is an offset in its range and an id, in one word. Counts need free upper bits in an id.
  const std::uint64_t addressable = std::uint64_t{1} << std::min(30U, 64 - plan.id_bits);
  std::uint64_t wish = std::min<std::uint64_t>(memory_bytes / 2 / demand.id_bytes, addressable);
  if (demand.range_nodes) wish = std::min(wish, std::max<std::uint64_t>(*demand.range_nodes, cell));
  plan.range_nodes = core::round_down(std::min(wish, core::round_up(demand.nodes, cell)), cell);
  if (plan.range_nodes == 0) {
    if (demand.nodes > 0) return std::nullopt;
    plan.range_nodes = 1;
  }
  plan.ranges =
      static_cast<std::size_t>(std::max<std::uint64_t>(1, core::divide_up(demand.nodes, plan.range_nodes)));
  const auto offset_bits = static_cast<unsigned>(std::bit_width(plan.range_nodes - 1));
  plan.pair_bytes = (offset_bits + plan.id_bits + 7) / 8;

  const std::size_t lists = RangePairs::list_bytes(plan.ranges);
  const std::size_t share = memory_bytes / 16;
  plan.pool_bytes = 5 * share;
  if (lists + core::page_bytes > share) return std::nullopt;
  // There is an open block per range for every contracting thread and for the requests. At most a quarter of
  // all blocks are read ahead.
  const std::size_t open = (std::size_t{threads} + 1) * plan.ranges;
  plan.block_bytes = std::min<std::size_t>(
      core::round_down(plan.pool_bytes / ((open + threads) * 3 / 2 + spare_blocks), core::page_bytes),
      most_block_bytes);
  plan.run_block_bytes =
      std::min<std::size_t>(core::round_down(share / 2, core::page_bytes), most_run_block_bytes);
  if (plan.block_bytes == 0 || plan.run_block_bytes == 0) return std::nullopt;
  return plan;
}

}  // namespace

ContractionPlan ContractionPlan::make(const ContractionDemand& demand) {
  const auto plan_for = [&](std::size_t memory_bytes, unsigned threads) {
    std::optional<ContractionPlan> plan = try_plan(demand, memory_bytes, threads);
    if (!plan) return plan;
    const std::size_t lists = list_bytes(demand, *plan);
    plan.reset();
    if (lists < memory_bytes / 2) plan = try_plan(demand, memory_bytes - lists, threads);
    return plan;
  };
  for (unsigned threads = demand.threads; threads > 0; threads /= 2) {
    if (const auto plan = plan_for(demand.memory_bytes, threads)) return *plan;
  }
  if (demand.nodes > ContractionPlan::most_nodes) {
    throw core::DataError("found ids for " + core::format_count(demand.nodes) + " nodes, expected at most " +
                          core::format_count(ContractionPlan::most_nodes) +
                          " (ids of 38 bits); --relabel numbers sparse ids without gaps");
  }
  std::size_t enough = std::max<std::size_t>(demand.memory_bytes, 64 * core::KiB);
  while (enough < std::size_t{1} << 62 && !plan_for(enough, 1)) enough += enough / 16;
  // Other reservations, above all the buffers of the input, grow with the limit.
  const std::uint64_t others = demand.limit_bytes / std::max<std::size_t>(1, demand.memory_bytes / 16);
  const std::uint64_t limit = core::size_product(core::divide_up(enough, 16), others + 1);
  throw core::MemoryLimitError("memory limit of " + core::format_size(demand.limit_bytes) +
                               " is too small: ranges of " + core::format_count(demand.nodes) +
                               " nodes need " + core::format_size(enough) + ", " +
                               core::format_size(demand.memory_bytes) + " are free; " +
                               core::memory_option(core::size_sum(limit, core::MiB)) + " would do");
}

ContractionPlan ContractionPlan::resumed(const ContractionDemand& demand) const {
  ContractionPlan plan = *this;
  const std::uint64_t fixed =
      core::size_sum(core::size_product(range_nodes, demand.id_bytes), RangePairs::list_bytes(ranges),
                     2 * run_block_bytes, list_bytes(demand, *this));
  const auto pool_for = [&](unsigned with) {
    return core::size_product(core::size_sum((std::uint64_t{with} + 1) * ranges, with, spare_blocks),
                              block_bytes);
  };
  const std::uint64_t left = demand.memory_bytes - std::min<std::uint64_t>(demand.memory_bytes, fixed);
  if (left < pool_for(1)) {
    const std::uint64_t need = core::size_sum(fixed, pool_for(1));
    throw core::MemoryLimitError(
        "memory limit of " + core::format_size(demand.limit_bytes) +
        " is too small: the node ranges of the checkpoint need " + core::format_size(need) + ", " +
        core::format_size(demand.memory_bytes) + " are free; " +
        core::memory_option(core::size_sum(need, need / 2, core::MiB)) + " would do");
  }
  plan.pool_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(pool_bytes, left));
  plan.threads = demand.threads;
  while (plan.threads > 1 && pool_for(plan.threads) > plan.pool_bytes) --plan.threads;
  return plan;
}

}  // namespace emgraph::graph::cc
