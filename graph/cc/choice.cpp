// SPDX-License-Identifier: MIT
// The arithmetic behind the choice of model.
#include "graph/cc/choice.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"

namespace emgraph::graph::cc {
namespace {

// A pipe whose nodes do not fit after all is spooled through two blocks of 256 KiB.
constexpr std::size_t wished_rest_bytes = 640 * core::KiB;

std::uint64_t node_bytes(std::uint64_t nodes, std::size_t id_bytes) {
  return nodes > ~std::uint64_t{0} / id_bytes ? ~std::uint64_t{0} : nodes * id_bytes;
}

std::uint64_t edge_bytes(const Demand& demand) {
  return demand.edges.value_or(0) * 2 * demand.id_bytes;
}

}  // namespace

std::uint64_t most_nodes(std::size_t free_bytes, std::size_t id_bytes) {
  const std::size_t rest = std::max(free_bytes / 16, std::min(free_bytes / 4, wished_rest_bytes));
  const std::uint64_t nodes = (free_bytes - rest) / id_bytes;
  return id_bytes == 4 ? std::min(nodes, std::uint64_t{1} << 32) : nodes;
}

void check_forced(const Demand& demand, MemoryModel model) {
  if (model != MemoryModel::internal || !demand.nodes || !demand.edges) return;
  const std::uint64_t need = edge_bytes(demand) + node_bytes(*demand.nodes, demand.id_bytes);
  if (need <= demand.memory_bytes) return;
  throw core::MemoryLimitError("--model internal needs " + core::format_size(need) +
                               " for edges and nodes, " + core::format_size(demand.memory_bytes) +
                               " are free under the memory limit; --model semi-external needs less");
}

core::MemoryLimitError too_many_nodes(const core::MemoryBudget& budget, std::uint64_t nodes,
                                      std::size_t id_bytes, std::size_t free_bytes) {
  const std::uint64_t need = node_bytes(nodes, id_bytes);
  // What reading takes and what is left to others grows with the limit, up to a third of it.
  return core::MemoryLimitError("memory limit of " + core::format_size(budget.limit()) +
                                " is too small: an id for each of " + core::format_count(nodes) +
                                " nodes needs " + core::format_size(need) + ", " +
                                core::format_size(free_bytes) + " are free; -M " +
                                std::to_string(core::divide_up(need + need / 2, core::MiB)) +
                                "M would do, --model external needs less");
}

ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, bool external, MemoryModel forced) {
  const std::uint64_t ids = node_bytes(nodes, demand.id_bytes);
  const std::string memory = core::format_size(demand.memory_bytes);
  const std::string by = forced == MemoryModel::automatic ? "" : " (--model)";
  if (external) {
    return {MemoryModel::external,
            "an id per node takes " + core::format_size(ids) + " of " + memory + "; node ranges" + by};
  }
  if (demand.edges && edge_bytes(demand) + ids <= demand.memory_bytes &&
      forced != MemoryModel::semi_external) {
    return {MemoryModel::internal,
            "edges (" + core::format_size(edge_bytes(demand)) + ") and nodes fit in " + memory + by};
  }
  return {MemoryModel::semi_external,
          "an id per node takes " + core::format_size(ids) + " of " + memory + by};
}

}  // namespace emgraph::graph::cc
