// SPDX-License-Identifier: MIT
// The bytes of rows, pages, bits and outputs.
#include "graph/bfs/choice.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "graph/bfs/search_state.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/search_root.hpp"

namespace emgraph::graph::bfs {
namespace {

std::uint64_t state_bytes(std::uint64_t nodes, std::size_t id_bytes) {
  return id_bytes == 4 ? SearchState<std::uint32_t>::bytes_for(nodes)
                       : SearchState<std::uint64_t>::bytes_for(nodes);
}

std::uint64_t search_buffers(const Demand& demand) {
  return adjacency::search_buffer_bytes(demand.memory_bytes, demand.threads);
}

}  // namespace

Needs needs(const Demand& demand) {
  Needs need;
  const std::uint64_t nodes = demand.nodes.value_or(0);
  const std::uint64_t entries = demand.entries.value_or(0);
  need.state = state_bytes(nodes, demand.id_bytes);
  if (demand.levels) {
    need.outputs = core::size_sum(need.outputs, core::size_product(nodes, sizeof(std::uint32_t)));
    need.least_outputs += NodeValues<std::uint32_t>::least_sort_bytes(demand.threads);
  }
  if (demand.parents) {
    need.outputs = core::size_sum(need.outputs, core::size_product(nodes, demand.id_bytes));
    need.least_outputs += NodeValues<std::uint64_t>::least_sort_bytes(demand.threads);
  }
  need.least_outputs = std::min(need.least_outputs, need.outputs);
  const std::uint64_t offset_bytes = entries > 0xffffffff ? 8 : 4;
  need.rows = core::size_sum(offset_bytes, core::size_product(nodes, offset_bytes),
                             core::size_product(entries, demand.id_bytes));
  // No more than rows, whatever count a header claims.
  const double pages =
      static_cast<double>(entries) * adjacency::expected_entry_bytes * (demand.id_bytes == 8 ? 1.25 : 1);
  need.pages =
      core::size_sum(pages < static_cast<double>(need.rows) ? static_cast<std::uint64_t>(pages) : need.rows,
                     adjacency::default_page_bytes);
  // Rows are filled while the sort still holds the edges that it has not returned.
  need.internal = core::size_sum(need.rows, need.state, need.outputs, search_buffers(demand));
  if (!demand.built) need.internal = core::size_sum(need.internal, need.internal / 3);
  need.semi_external = core::size_sum(need.state, need.least_outputs, search_buffers(demand));
  need.semi_external = core::size_sum(need.semi_external, need.semi_external / 8);
  return need;
}

ModelChoice internal_choice(const Demand& demand, const Options& options) {
  if (options.model == MemoryModel::internal) return {MemoryModel::internal, "as asked"};
  const Needs need = needs(demand);
  return {MemoryModel::internal, "neighbours of all nodes take " + core::format_size(need.rows) + ", with " +
                                     core::format_size(core::size_sum(need.state, need.outputs)) +
                                     " for nodes below the " + core::format_size(demand.memory_bytes) +
                                     " free"};
}

ModelChoice choose(const Demand& demand, const Options& options) {
  const Needs need = needs(demand);
  const std::uint64_t memory = demand.memory_bytes;
  if (options.model != MemoryModel::automatic) {
    const bool internal = options.model == MemoryModel::internal;
    // A forced internal run may leave the sort less memory than is good for it.
    const std::uint64_t least =
        internal ? core::size_sum(need.rows, need.state, need.outputs, search_buffers(demand))
                 : need.semi_external;
    if (options.model != MemoryModel::external && least > memory) {
      throw missing_memory(
          {model_option(options.model), "about ", internal ? need.internal : need.semi_external}, memory);
    }
    return {options.model, "as asked"};
  }
  const auto size = [](std::uint64_t bytes) { return core::format_size(bytes); };
  const std::string free = size(memory) + " free";
  const std::string bits = "three bits per node and lists take " + size(need.state);
  const ModelNeed semi_external{
      MemoryModel::semi_external, need.semi_external,
      (demand.entries ? "neighbours of all nodes, " + size(need.rows) + ", do not fit in the " + free
                      : "how many edges come is not known") +
          "; " + bits};
  const ModelNeed external{MemoryModel::external, 0, bits + ", with buffers more than the " + free};
  if (!demand.entries) return first_that_fits({semi_external, external}, memory);
  const ModelNeed internal{MemoryModel::internal, need.internal, internal_choice(demand, options).reason};
  return first_that_fits({internal, semi_external, external}, memory);
}

void check_roots(const Options& options, std::uint64_t nodes) {
  if (nodes == 0) refuse_no_nodes(options.input);
  for (const std::uint64_t root : options.roots) require_node("root", root, nodes);
}

bool outputs_in_memory(const Demand& demand) {
  const Needs need = needs(demand);
  if (need.outputs <= need.least_outputs) return true;
  const std::uint64_t used = core::size_sum(need.state, search_buffers(demand));
  return used < demand.memory_bytes && need.outputs <= (demand.memory_bytes - used) / 2;
}

std::size_t output_sort_bytes(const Demand& demand) {
  const Needs need = needs(demand);
  const std::uint64_t used = core::size_sum(need.state, search_buffers(demand));
  const std::uint64_t free = demand.memory_bytes - std::min<std::uint64_t>(demand.memory_bytes, used);
  return static_cast<std::size_t>(
      std::max<std::uint64_t>(free / 6, NodeValues<std::uint64_t>::least_sort_bytes(demand.threads)));
}

std::size_t resident_bytes(const Demand& demand) {
  const Needs need = needs(demand);
  // The search still has to fit beside them, and the sort to have half of the memory.
  const bool fits = need.internal <= demand.memory_bytes ||
                    (core::size_sum(need.pages, need.state) <= demand.memory_bytes / 2 &&
                     core::size_sum(need.pages, need.semi_external) <= demand.memory_bytes);
  return demand.entries && fits ? static_cast<std::size_t>(need.pages) : 0;
}

}  // namespace emgraph::graph::bfs
