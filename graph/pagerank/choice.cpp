// SPDX-License-Identifier: MIT
// Compares the bytes of each model with the memory.
#include "graph/pagerank/choice.hpp"

#include <string>

#include "core/base/bytes.hpp"
#include "graph/pagerank/in_memory.hpp"

namespace emgraph::graph::pagerank {

std::uint64_t internal_bytes(const Demand& demand, std::uint64_t nodes, std::uint64_t arcs) {
  if (demand.weighted) {
    return demand.id_bytes == 4 ? InMemory<std::uint32_t, true>::bytes_for(nodes, arcs)
                                : InMemory<std::uint64_t, true>::bytes_for(nodes, arcs);
  }
  return demand.id_bytes == 4 ? InMemory<std::uint32_t, false>::bytes_for(nodes, arcs)
                              : InMemory<std::uint64_t, false>::bytes_for(nodes, arcs);
}

bool keep_while_sorting(const Demand& demand) {
  if (!may_be_internal(demand.model)) return false;
  if (!demand.nodes_below || !demand.most_arcs) return false;
  return internal_bytes(demand, *demand.nodes_below, *demand.most_arcs) <= demand.memory_bytes / 2;
}

void require_semi_external(const Demand& demand, const RangePlan& plan, std::uint64_t nodes) {
  if (demand.model != MemoryModel::semi_external) return;
  if (plan.ranges(nodes) <= 1 && nodes <= RangePlan::most_in_one_range(demand.memory_bytes)) return;
  throw missing_memory({.what = model_option(demand.model),
                        .precision = "",
                        .bytes = core::size_product(nodes, sizeof(std::uint64_t) * 8) / 3,
                        .purpose = " for a share per node and blocks",
                        .advice = "; --model external needs less"},
                       demand.memory_bytes);
}

ModelChoice choose(const Demand& demand, const RangePlan& plan, std::uint64_t nodes, std::uint64_t arcs,
                   std::size_t free_bytes) {
  const std::string by(forced_suffix(demand.model));
  const std::uint64_t all = internal_bytes(demand, nodes, arcs);
  const std::uint64_t shares = core::size_product(nodes, sizeof(std::uint64_t));
  const std::uint64_t ranges = plan.ranges(nodes);
  const bool forced_internal = demand.model == MemoryModel::internal;
  const bool forced_external = demand.model == MemoryModel::external;
  if ((forced_internal || demand.model == MemoryModel::automatic) && all <= free_bytes) {
    return {MemoryModel::internal, edges_and_nodes_fit(all, demand.memory_bytes) + by};
  }
  if (forced_internal) {
    throw missing_memory({.what = model_option(demand.model),
                          .precision = "",
                          .bytes = all,
                          .purpose = " for edges and nodes",
                          .advice = "; --model semi-external needs less"},
                         free_bytes);
  }
  require_semi_external(demand, plan, nodes);
  const std::string share = share_of_memory("a share per node takes", shares, demand.memory_bytes);
  if (ranges <= 1 && !forced_external) return {MemoryModel::semi_external, share + by};
  return {MemoryModel::external,
          share + "; " + core::format_count(ranges) + (ranges == 1 ? " range" : " ranges") + by};
}

}  // namespace emgraph::graph::pagerank
