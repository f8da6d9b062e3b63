// SPDX-License-Identifier: MIT
// The arithmetic behind the choice of model.
#include "graph/cc/choice.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "graph/cc/range_plan.hpp"

namespace emgraph::graph::cc {
namespace {

// A pipe whose nodes do not fit after all is spooled through two blocks of 256 KiB.
constexpr std::size_t wished_rest_bytes = 640 * core::KiB;

/// Edges and an id per node.
std::uint64_t all_bytes(const Demand& demand, std::uint64_t nodes) {
  return core::size_sum(core::size_product(demand.edges.value_or(0), 2 * demand.id_bytes),
                        core::size_product(nodes, demand.id_bytes));
}

}  // namespace

std::uint64_t most_nodes(std::size_t free_bytes, std::size_t id_bytes) {
  const std::size_t rest = std::max(free_bytes / 16, std::min(free_bytes / 4, wished_rest_bytes));
  const std::uint64_t nodes = (free_bytes - rest) / id_bytes;
  return id_bytes == 4 ? std::min(nodes, std::uint64_t{1} << 32) : nodes;
}

void check_forced(const Demand& demand, MemoryModel model) {
  if (model != MemoryModel::internal || !demand.nodes || !demand.edges) return;
  const std::uint64_t need = all_bytes(demand, *demand.nodes);
  if (need <= demand.memory_bytes) return;
  throw core::MemoryLimitError("--model internal needs " + core::format_size(need) +
                               " for edges and nodes, " + core::format_size(demand.memory_bytes) +
                               " are free under the memory limit; --model semi-external needs less");
}

core::MemoryLimitError too_many_nodes(const core::MemoryBudget& budget, std::uint64_t nodes,
                                      std::size_t id_bytes, std::size_t free_bytes) {
  const std::uint64_t need = core::size_product(nodes, id_bytes);
  const char* const instead =
      nodes <= RangePlan::most_nodes ? "--model external needs less" : "number sparse ids anew, from 0 on";
  // What reading takes and what is left to others grows with the limit, up to a third of it.
  return core::MemoryLimitError(
      "memory limit of " + core::format_size(budget.limit()) + " is too small: an id for each of " +
      core::format_count(nodes) + " nodes needs " + core::format_size(need) + ", " +
      core::format_size(free_bytes) + " are free; " + core::memory_option(core::size_sum(need, need / 2)) +
      " would do, " + instead);
}

ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, bool external, MemoryModel forced) {
  const std::uint64_t ids = core::size_product(nodes, demand.id_bytes);
  const std::string memory = core::format_size(demand.memory_bytes);
  const std::string by = forced == MemoryModel::automatic ? "" : " (--model)";
  if (external) {
    return {MemoryModel::external,
            "an id per node takes " + core::format_size(ids) + " of " + memory + "; node ranges" + by};
  }
  const std::uint64_t all = all_bytes(demand, nodes);
  if (demand.edges && all <= demand.memory_bytes && forced != MemoryModel::semi_external) {
    return {MemoryModel::internal,
            "edges (" + core::format_size(all - ids) + ") and nodes fit in " + memory + by};
  }
  return {MemoryModel::semi_external,
          "an id per node takes " + core::format_size(ids) + " of " + memory + by};
}

}  // namespace emgraph::graph::cc
