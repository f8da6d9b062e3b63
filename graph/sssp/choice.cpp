// SPDX-License-Identifier: MIT
// The bytes of rows, distances, queues and landmarks.
#include "graph/sssp/choice.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "graph/adjacency/page_store.hpp"
#include "graph/node_bits.hpp"
#include "graph/search_root.hpp"

namespace emgraph::graph::sssp {
namespace {

// Of a queue, an estimate: two entries, one of which was overtaken by a shorter way. A grid needs far less;
// kron18 took some 6 MiB for 262,144 nodes.
constexpr std::uint64_t queue_bytes = 24;

std::string internal_reason(const Needs& need, std::uint64_t memory) {
  return "arcs of all nodes take " + core::format_size(need.rows) + ", with " +
         core::format_size(core::size_sum(need.words, need.nodes)) + " for nodes below the " +
         core::format_size(memory) + " free";
}

}  // namespace

Needs needs(const Demand& demand, const Options& options) {
  Needs need;
  const std::uint64_t nodes = demand.nodes.value_or(0);
  const std::uint64_t entries = demand.entries.value_or(0);
  const std::uint64_t offset_bytes = entries > 0xffffffff || demand.arc_bytes > 8 ? 8 : 4;
  need.rows = core::size_sum(offset_bytes, core::size_product(nodes, offset_bytes),
                             core::size_product(entries, demand.arc_bytes));
  if (needs_reversed(options)) need.rows = core::size_product(need.rows, 2);
  need.words = core::size_product(nodes, sizeof(std::uint64_t));
  const std::uint64_t per_node = std::max<std::uint64_t>(queue_bytes, demand.parents ? demand.id_bytes : 0);
  need.nodes = core::size_product(nodes, per_node);
  if (!options.queries.empty()) {
    // Two ends, each with the list of what it reached.
    need.nodes =
        core::size_sum(need.nodes, core::size_product(nodes, sizeof(std::uint64_t) + 2 * demand.id_bytes));
    need.nodes = core::size_sum(
        need.nodes, core::size_product(nodes, std::uint64_t{options.landmarks} * (options.directed ? 8 : 4)));
  }
  need.buffers = adjacency::search_buffer_bytes(demand.memory_bytes, demand.threads);
  need.internal = core::size_sum(need.rows, need.words, need.nodes, need.buffers);
  // Rows are filled while the sort still holds the edges that it has not returned.
  if (!demand.built)
    need.internal = std::max(need.internal, core::size_sum(need.rows, need.rows / 2, need.buffers));
  // Four sets of nodes, of which a search needs two and a pass for parents two more, and a list.
  need.semi_external = core::size_sum(need.words, core::size_product(NodeBits::bytes_for(nodes), 5),
                                      core::size_product(nodes / 16, demand.id_bytes), need.buffers);
  if (demand.parents || options.paths) {
    need.semi_external = core::size_sum(need.semi_external, core::size_product(nodes, demand.id_bytes));
  }
  need.semi_external = core::size_sum(need.semi_external, need.semi_external / 8);
  return need;
}

ModelChoice choose(const Demand& demand, const Options& options) {
  const Needs need = needs(demand, options);
  const std::uint64_t memory = demand.memory_bytes;
  if (options.model != MemoryModel::automatic) {
    const bool internal = options.model == MemoryModel::internal;
    const std::uint64_t parents =
        demand.parents ? core::size_product(demand.nodes.value_or(0), demand.id_bytes) : 0;
    const std::uint64_t least = internal
                                    ? core::size_sum(need.rows, need.words, std::max(parents, need.buffers))
                                    : need.semi_external;
    if (options.model != MemoryModel::external && least > memory) {
      throw missing_memory(
          {model_option(options.model), "about ", internal ? need.internal : need.semi_external}, memory);
    }
    return {options.model, "as asked"};
  }
  const auto size = [](std::uint64_t bytes) { return core::format_size(bytes); };
  const std::string free = size(memory) + " free";
  const std::string words = "a distance per node takes " + size(need.words);
  const ModelNeed semi_external{
      MemoryModel::semi_external, need.semi_external,
      "arcs of all nodes, " + size(need.rows) + ", do not fit in the " + free + "; " + words};
  const ModelNeed external{MemoryModel::external, 0, words + ", with buffers more than the " + free};
  const ModelNeed internal{MemoryModel::internal, need.internal, internal_reason(need, memory)};
  return first_that_fits({internal, semi_external, external}, memory);
}

ModelChoice internal_choice(const Demand& demand, const Options& options) {
  if (options.model != MemoryModel::automatic) return {MemoryModel::internal, "as asked"};
  return {MemoryModel::internal, internal_reason(needs(demand, options), demand.memory_bytes)};
}

void check_nodes(const Options& options, std::uint64_t nodes) {
  if (nodes == 0) refuse_no_nodes(options.input);
  if (options.require_nodes) options.require_nodes(nodes);
  for (const std::uint64_t root : options.roots) require_node("root", root, nodes);
  for (std::size_t i = 0; i < options.queries.size(); ++i) {
    const std::string query = "query " + std::to_string(i + 1);
    require_node(query + ": source", options.queries[i].source, nodes);
    require_node(query + ": target", options.queries[i].target, nodes);
  }
}

}  // namespace emgraph::graph::sssp
