// SPDX-License-Identifier: MIT
// The arithmetic behind the choice of the model.
#include "graph/triangles/choice.hpp"

#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/triangles/list_chunk.hpp"

namespace emgraph::graph::triangles {

void check_nodes(const Demand& demand, std::uint64_t nodes) {
  if (nodes <= demand.most_nodes()) return;
  const std::uint64_t bytes = nodes * demand.bytes_per_node();
  throw core::MemoryLimitError("--model " + std::string(name(demand.model)) + " needs at least " +
                               core::format_size(bytes / 3 * 4) + " for " + core::format_count(nodes) +
                               " nodes, " + core::format_size(demand.memory_bytes) +
                               " are free under the memory limit; --model external needs less");
}

MemoryModel choose_lists(const Demand& demand, std::uint64_t nodes, std::uint64_t ranks,
                         std::uint64_t edges) {
  if (demand.model == MemoryModel::semi_external) return MemoryModel::semi_external;
  const std::uint64_t lists = ListChunk::bytes_for(edges, ranks);
  const std::uint64_t rest = demand.memory_bytes - nodes * demand.bytes_per_node();
  // Half of the rest, and enough to work in, is for the sort; asked for by name, a quarter must do.
  constexpr std::uint64_t least_sort_bytes = core::MiB;
  if (edges < most_ranks && lists <= rest / 2 && rest - lists >= least_sort_bytes)
    return MemoryModel::internal;
  if (demand.model != MemoryModel::internal) return MemoryModel::semi_external;
  if (edges < most_ranks && lists <= rest / 4 * 3) return MemoryModel::internal;
  throw core::MemoryLimitError("--model internal needs at least " +
                               core::format_size(lists / 3 * 4 + nodes * demand.bytes_per_node()) + " for " +
                               core::format_count(edges) + " edges (fewer than 2^32), " +
                               core::format_size(demand.memory_bytes) + " are free under the memory limit");
}

core::MemoryLimitError nodes_unknown(const Demand& demand) {
  return core::MemoryLimitError("--model " + std::string(name(demand.model)) +
                                " of an input that comes only once needs up to three times 4 bytes per node, "
                                "as long as their number is not known; give --nodes, or more than " +
                                core::format_size(demand.memory_bytes) + " of memory");
}

ModelChoice describe_choice(const Demand& demand, MemoryModel model, std::uint64_t nodes, std::uint64_t ranks,
                            std::uint64_t edges, std::uint64_t chunks) {
  const std::string per_node = std::to_string(demand.bytes_per_node()) + " bytes per node take " +
                               core::format_size(nodes * demand.bytes_per_node()) + " of " +
                               core::format_size(demand.memory_bytes);
  const std::string lists =
      "the oriented lists take " + core::format_size(ListChunk::bytes_for(edges, ranks));
  const std::string forced = demand.model != MemoryModel::automatic ? " (--model)" : "";
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
