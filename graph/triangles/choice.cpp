// SPDX-License-Identifier: MIT
// The bytes of ranks, counters and lists.
#include "graph/triangles/choice.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/triangles/lists.hpp"

namespace emgraph::graph::triangles {

void check_nodes(const Demand& demand, std::uint64_t nodes) {
  if (nodes <= demand.most_nodes()) return;
  const std::uint64_t bytes = demand.bytes_for(nodes);
  throw missing_memory({.what = model_option(demand.model),
                        .precision = "at least ",
                        .bytes = core::size_sum(bytes, bytes / 3),
                        .purpose = " for " + core::format_count(nodes / demand.copies_of_node) + " nodes",
                        .advice = "; --model external needs less"},
                       demand.memory_bytes);
}

MemoryModel choose_lists(const Demand& demand, std::uint64_t nodes, std::uint64_t ranks,
                         std::uint64_t edges) {
  if (demand.model == MemoryModel::semi_external) return MemoryModel::semi_external;
  const std::uint64_t lists = ListChunk::bytes_for(edges, ranks);
  const std::uint64_t rest =
      demand.memory_bytes - std::min<std::uint64_t>(demand.memory_bytes, demand.bytes_for(nodes));
  // Half of the rest, and at least this much, is left for the sort; a forced model leaves it a quarter.
  constexpr std::uint64_t least_sort_bytes = core::MiB;
  if (edges < most_ranks && lists <= rest / 2 && rest - lists >= least_sort_bytes) {
    return MemoryModel::internal;
  }
  if (demand.model != MemoryModel::internal) return MemoryModel::semi_external;
  if (edges < most_ranks && lists <= rest / 4 * 3) return MemoryModel::internal;
  throw missing_memory(
      {.what = model_option(demand.model),
       .precision = "at least ",
       .bytes = core::size_sum(lists, lists / 3, demand.bytes_for(nodes)),
       .purpose = " for " + core::format_count(edges / demand.copies_of_edge) + " edges (fewer than 2^32)"},
      demand.memory_bytes);
}

core::MemoryLimitError nodes_unknown(const Demand& demand) {
  return core::MemoryLimitError(model_option(demand.model) +
                                " of an input that comes only once needs up to three times 4 bytes per node, "
                                "as long as their number is not known; give --nodes, or more than " +
                                core::format_size(demand.memory_bytes) + " of memory");
}

ModelChoice describe_choice(const Demand& demand, MemoryModel model, std::uint64_t nodes, std::uint64_t ranks,
                            std::uint64_t edges, std::uint64_t chunks) {
  const std::string per_node =
      share_of_memory(std::to_string(demand.bytes_per_node()) + " bytes per node take",
                      demand.bytes_for(nodes), demand.memory_bytes);
  const std::string lists =
      "the oriented lists take " + core::format_size(ListChunk::bytes_for(edges, ranks));
  const std::string forced(forced_suffix(demand.model));
  switch (model) {
    case MemoryModel::internal:
      return {model, lists + " of " + core::format_size(demand.memory_bytes) + forced};
    case MemoryModel::semi_external:
      return {model, per_node + "; " + lists + ", chunks: " + std::to_string(chunks) + forced};
    default:
      return {model, per_node + "; ranks by sorting, chunks: " + std::to_string(chunks) + forced};
  }
}

}  // namespace emgraph::graph::triangles
