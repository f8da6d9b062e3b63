// SPDX-License-Identifier: MIT
// The choice of the memory model of `scc`: what a run and its forecast share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/bytes.hpp"
#include "core/block/manager.hpp"
#include "core/block/run_blocks.hpp"
#include "graph/edge_facts.hpp"
#include "graph/scc/node_search.hpp"
#include "graph/scc/scc.hpp"

namespace emgraph::graph::scc {

/// Of the edges on the temporary disks.
inline std::size_t edge_block_bytes(std::size_t memory_bytes) {
  return core::block_share(memory_bytes, 64);
}

/// How many edges may be kept in memory while they are read: all, beside a search of them, or none.
/// `declared`: n, if it is known before. `free_bytes`: while the lanes are open.
template <class Id>
std::uint64_t most_in_memory(const Options& options, const EdgeFacts& facts,
                             const std::optional<std::uint64_t>& declared, std::size_t block_bytes,
                             std::size_t free_bytes) {
  const bool forces_disk =
      options.model == MemoryModel::semi_external || options.model == MemoryModel::external;
  if (forces_disk || options.batch_edges) return 0;
  const std::uint64_t nodes =
      core::size_sum(declared ? search_bytes<Id>(*declared, 0) : free_bytes / 4, 3 * block_bytes);
  if (nodes >= free_bytes) return 0;
  const std::uint64_t most = (free_bytes - nodes) / (sizeof(Edge<Id>) + sizeof(Id));
  if (facts.edges && *facts.edges > most) return 0;
  return std::min(most, facts.edges.value_or(facts.most_edges.value_or(most)));
}

/// Most edges that may be searched at once. If --model semi-external is given, few, even if there is room
/// for more.
inline std::uint64_t most_edges(const Options& options, std::uint64_t nodes) {
  if (options.batch_edges) return *options.batch_edges;
  if (options.model != MemoryModel::semi_external) return ~std::uint64_t{0};
  return std::max<std::uint64_t>(nodes, 64 * 1024);
}

/// The edges that were read.
struct ReadEdges {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< without loops
  bool in_memory = false;
};

/// `memory_bytes`: free before the edges were read; `free_bytes`: now. Throws MemoryLimitError.
template <class Id>
ModelChoice choose_model(const Options& options, const ReadEdges& read, std::size_t block_bytes,
                         std::size_t memory_bytes, std::size_t free_bytes) {
  const auto& [nodes, edges, in_memory] = read;
  const std::string by(forced_suffix(options.model));
  const std::uint64_t need = search_bytes<Id>(nodes, edges, in_memory ? 0 : block_bytes);
  const std::uint64_t least = least_pass_bytes<Id>(nodes, edges, block_bytes);
  const auto refuse = [&](std::uint64_t bytes, const char* purpose, const char* advice) {
    return missing_memory({.what = model_option(options.model),
                           .precision = "",
                           .bytes = bytes,
                           .purpose = purpose,
                           .advice = advice},
                          free_bytes);
  };
  if (options.model == MemoryModel::internal && need > free_bytes) {
    throw refuse(need, " for edges and nodes", "; --model semi-external needs less");
  }
  if (options.model == MemoryModel::semi_external && least > free_bytes) {
    throw refuse(least, " for nodes and a batch of edges", "; --model external needs less");
  }
  if (options.model == MemoryModel::external || (need > free_bytes && least > free_bytes)) {
    return {MemoryModel::external, share_of_memory("nodes would take", least, memory_bytes) + by};
  }
  if (may_be_internal(options.model) && need <= free_bytes && edges <= most_edges(options, nodes)) {
    return {MemoryModel::internal, edges_and_nodes_fit(need, memory_bytes) + by};
  }
  return {MemoryModel::semi_external, share_of_memory("edges and nodes would take", need, memory_bytes) + by};
}

}  // namespace emgraph::graph::scc
