// SPDX-License-Identifier: MIT
// The bytes of counters and sorts.
#include "graph/stats/choice.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/manager.hpp"
#include "core/block/run_blocks.hpp"
#include "graph/stats/counted_degrees.hpp"

namespace emgraph::graph::stats {
namespace {

// The packed size of an edge in memory, bytes: an upper bound of what the sorter keeps of most graphs.
constexpr std::uint64_t edge_bytes = 8;

// The rest is left for histograms, hubs and blocks.
std::size_t sort_share(std::size_t free) {
  return free - std::min<std::size_t>(free / 8, 32 * core::MiB);
}

std::string per_node(const Demand& demand, std::uint64_t nodes) {
  return share_of_memory(std::to_string(CountedDegrees::node_bytes(demand.directed)) + " bytes per node take",
                         CountedDegrees::bytes_for(nodes, demand.directed), demand.memory_bytes);
}

}  // namespace

DegreePlan DegreePlan::make(const Demand& demand, const std::optional<std::uint64_t>& nodes) {
  const std::size_t memory = demand.memory_bytes;
  const bool forced = demand.model == MemoryModel::internal || demand.model == MemoryModel::semi_external;
  DegreePlan plan;
  plan.may_count = demand.model != MemoryModel::external;
  plan.may_sort = !forced;
  // Two sorts are open at the same time.
  plan.degree_bytes = memory / 16 * 6;
  plan.edge_bytes = memory / 16 * 7;
  plan.block_bytes = core::block_share(memory, 128);
  if (!plan.may_count || !nodes) return plan;
  const std::uint64_t counters = CountedDegrees::bytes_for(*nodes, demand.directed);
  if (*nodes <= CountedDegrees::most_nodes && (forced || counters <= memory / 2)) {
    plan.may_sort = false;
    plan.degree_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(counters, memory / 4 * 3));
    plan.edge_bytes = sort_share(memory - plan.degree_bytes);
  } else if (!forced) {
    plan.may_count = false;
  }
  return plan;
}

bool DegreePlan::counts(const Demand& demand, std::uint64_t nodes) const {
  if (!may_count) return false;
  const std::uint64_t counters = CountedDegrees::bytes_for(nodes, demand.directed);
  if (nodes <= CountedDegrees::most_nodes && counters <= degree_bytes) return true;
  if (may_sort) return false;
  const std::string forced = model_option(demand.model);
  if (nodes > CountedDegrees::most_nodes) {
    throw core::MemoryLimitError(forced + " counts the degrees of at most " +
                                 core::format_count(CountedDegrees::most_nodes) + " nodes, there are " +
                                 core::format_count(nodes) + "; use --model external");
  }
  // The counters would get the same share of it as they have of the free memory.
  const double least = static_cast<double>(counters) / static_cast<double>(degree_bytes) *
                       static_cast<double>(demand.memory_bytes);
  throw missing_memory({.what = forced,
                        .precision = "at least ",
                        .bytes = static_cast<std::uint64_t>(least) + 1,
                        .purpose = " to count the degrees of " + core::format_count(nodes) + " nodes",
                        .advice = "; --model external needs less"},
                       demand.memory_bytes);
}

ModelChoice describe_choice(const Demand& demand, bool counted, std::uint64_t nodes, std::uint64_t edges) {
  const std::string forced(forced_suffix(demand.model));
  const std::string share = per_node(demand, nodes);
  if (!counted) {
    const std::string reason = demand.model == MemoryModel::external ? "" : share + "; ";
    return {MemoryModel::external, reason + "degrees by a second sort" + forced};
  }
  if (demand.model != MemoryModel::automatic) return {demand.model, share + forced};
  const std::uint64_t counters = CountedDegrees::bytes_for(nodes, demand.directed);
  const std::uint64_t all = core::size_product(edges, edge_bytes);
  return first_that_fits(
      {{MemoryModel::internal, core::size_sum(all, counters), edges_and_nodes_fit(all, demand.memory_bytes)},
       {MemoryModel::semi_external, counters, share}},
      demand.memory_bytes);
}

}  // namespace emgraph::graph::stats
