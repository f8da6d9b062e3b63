// SPDX-License-Identifier: MIT
// The bytes of ids and edges.
#include "graph/cc/choice.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "graph/cc/contraction_plan.hpp"

namespace emgraph::graph::cc {
namespace {

// Two blocks of 256 KiB for spooling a pipe whose nodes turn out not to fit, and some more.
constexpr std::size_t wished_rest_bytes = 640 * core::KiB;

/// Edges and an id per node.
std::uint64_t all_bytes(const ModelDemand& demand, std::uint64_t nodes) {
  return core::size_sum(core::size_product(demand.edges.value_or(0), 2 * demand.id_bytes),
                        core::size_product(nodes, demand.id_bytes));
}

}  // namespace

std::uint64_t most_nodes(std::size_t free_bytes, std::size_t id_bytes) {
  const std::size_t rest = std::max(free_bytes / 16, std::min(free_bytes / 4, wished_rest_bytes));
  const std::uint64_t nodes = (free_bytes - rest) / id_bytes;
  return id_bytes == 4 ? std::min(nodes, std::uint64_t{1} << 32) : nodes;
}

void check_forced(const ModelDemand& demand, MemoryModel model) {
  if (model != MemoryModel::internal || !demand.nodes || !demand.edges) return;
  const std::uint64_t need = all_bytes(demand, *demand.nodes);
  if (need <= demand.memory_bytes) return;
  throw missing_memory({.what = model_option(model),
                        .precision = "",
                        .bytes = need,
                        .purpose = " for edges and nodes",
                        .advice = "; --model semi-external needs less"},
                       demand.memory_bytes);
}

core::MemoryLimitError too_many_nodes(const core::MemoryBudget& budget, std::uint64_t nodes,
                                      std::size_t id_bytes, std::size_t free_bytes) {
  const std::uint64_t need = core::size_product(nodes, id_bytes);
  const char* const instead = nodes <= ContractionPlan::most_nodes
                                  ? "--model external needs less"
                                  : "--relabel numbers sparse ids without gaps";
  // Of more memory, reading and later reservations take up to a third.
  const std::uint64_t more = need - std::min<std::uint64_t>(need, free_bytes);
  const std::uint64_t least =
      std::max(core::size_sum(need, need / 2), core::size_sum(budget.limit(), more, more / 2));
  return core::MemoryLimitError(
      "memory limit of " + core::format_size(budget.limit()) + " is too small: an id for each of " +
      core::format_count(nodes) + " nodes needs " + core::format_size(need) + ", " +
      core::format_size(free_bytes) + " are free; " + core::memory_option(least) + " would do, " + instead);
}

ModelChoice describe_choice(const ModelDemand& demand, std::uint64_t nodes, bool external,
                            MemoryModel forced) {
  const std::uint64_t ids = core::size_product(nodes, demand.id_bytes);
  const std::string by(forced_suffix(forced));
  const std::string share = share_of_memory("an id per node takes", ids, demand.memory_bytes);
  if (external) return {MemoryModel::external, share + "; node ranges" + by};
  const ModelNeed semi_external{MemoryModel::semi_external, ids, share + by};
  if (!demand.edges || forced == MemoryModel::semi_external) {
    return first_that_fits({semi_external}, demand.memory_bytes);
  }
  const std::uint64_t all = all_bytes(demand, nodes);
  return first_that_fits(
      {{MemoryModel::internal, all, edges_and_nodes_fit(all - ids, demand.memory_bytes) + by}, semi_external},
      demand.memory_bytes);
}

}  // namespace emgraph::graph::cc
