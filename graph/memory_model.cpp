// SPDX-License-Identifier: MIT
// The words that errors and summaries use for a choice of the memory model.
#include "graph/memory_model.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"

namespace emgraph::graph {

ModelChoice first_that_fits(std::initializer_list<ModelNeed> needs, std::uint64_t free_bytes) {
  const auto* chosen = std::find_if(needs.begin(), needs.end(),
                                    [&](const ModelNeed& need) { return need.bytes <= free_bytes; });
  if (chosen == needs.end()) --chosen;
  return {chosen->model, chosen->reason};
}

core::MemoryLimitError missing_memory(const MissingMemory& missing, std::uint64_t free_bytes) {
  std::string text = missing.what + " needs ";
  text += missing.precision;
  text += core::format_size(missing.bytes) + missing.purpose + ", " + core::format_size(free_bytes) +
          " are free under the memory limit";
  text += missing.advice;
  return core::MemoryLimitError(text);
}

core::MemoryLimitError missing_check_memory(const std::string& what, std::uint64_t bytes, std::uint64_t nodes,
                                            std::uint64_t edges, std::uint64_t least_bytes) {
  return core::MemoryLimitError("checking " + what + " needs " + core::format_size(bytes) + " for " +
                                core::format_count(nodes) + " nodes and " + core::format_count(edges) +
                                " edges; " + core::memory_option(least_bytes) +
                                " is the least that would do");
}

std::string model_option(MemoryModel model) {
  return "--model " + std::string(name(model));
}

std::string_view forced_suffix(MemoryModel model) {
  return model == MemoryModel::automatic ? "" : " (--model)";
}

std::string edges_and_nodes_fit(std::uint64_t edge_bytes, std::uint64_t free_bytes) {
  return "edges (" + core::format_size(edge_bytes) + ") and nodes fit in " + core::format_size(free_bytes);
}

std::string share_of_memory(std::string_view what, std::uint64_t bytes, std::uint64_t free_bytes) {
  return std::string(what) + " " + core::format_size(bytes) + " of " + core::format_size(free_bytes);
}

}  // namespace emgraph::graph
