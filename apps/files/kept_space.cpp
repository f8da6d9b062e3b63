// SPDX-License-Identifier: MIT
// Bounds of the space of a checkpoint.
#include "apps/files/kept_space.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "apps/files/free_space.hpp"
#include "core/base/bytes.hpp"
#include "core/sort/sort_plan.hpp"

namespace emgraph::apps {

KeptBytes kept_with_edges(const graph::EdgeLayout& layout, std::uint64_t node_bytes) {
  return {.per_edge = layout.record_bytes(), .per_node = 2 * node_bytes};
}

KeptBytes kept_by_search(const graph::EdgeLayout& layout, bool directed) {
  const std::uint64_t weight = graph::weight_bytes(layout.weight);
  const std::uint64_t key = 2 * layout.id_bytes + weight;
  const std::uint64_t page_entry = 3 + weight;
  // An external search sorts the neighbours of its levels once more.
  return {.per_edge = (directed ? 1 : 2) * (2 * key + page_entry), .per_node = 8 * layout.id_bytes};
}

KeptBytes kept_by_pagerank(const graph::EdgeFacts& input, bool undirected, bool weighted) {
  const std::uint64_t arcs = undirected && !input.symmetric ? 2 : 1;
  const std::uint64_t list = 3 * sizeof(std::uint32_t);  // of a node with one arc
  const std::uint64_t weights =
      weighted ? graph::weight_bytes(input.layout.weight) + sizeof(double) : std::uint64_t{0};
  return {.per_edge = arcs * (2 * input.layout.id_bytes + list + weights),
          .per_node = 6 * sizeof(std::uint64_t)};
}

KeptBytes kept_by_lists(const graph::EdgeFacts& input, bool both_directions) {
  const std::uint64_t key = 2 * input.layout.id_bytes;
  const std::uint64_t list = 3 * input.layout.id_bytes;  // of a node with one neighbour
  return {.per_edge = (both_directions ? 2 : 1) * (key + list), .per_node = 3 * sizeof(std::uint64_t)};
}

std::uint64_t sort_writes(Session& session, std::uint64_t records, std::size_t record_bytes,
                          std::size_t memory_bytes) {
  core::SortDemand demand;
  demand.records = records;
  demand.record_bytes = demand.packed_bytes = demand.sort_bytes = record_bytes;
  demand.threads = session.environment().threads;
  demand.sampled = demand.resumable = true;
  demand.memory_bytes = std::max(memory_bytes, core::SortPlan::least_bytes(demand));
  const core::SortPlan plan = core::SortPlan::make(demand);
  double buckets = 1;
  std::uint64_t writes = 0;
  do {
    buckets *= static_cast<double>(plan.buckets);
    ++writes;
  } while (buckets * static_cast<double>(plan.bucket_records) < static_cast<double>(records));
  return writes;
}

std::string kept_by_each_state(Session& session) {
  // Open blocks take at most half of what SortPlan leaves for blocks, which is less than three quarters.
  const std::uint64_t open_blocks = core::size_product(session.environment().memory.limit(), 3) / 8;
  return fmt::format(", and up to {} more for each state while edges are read, at most one every {} s",
                     core::format_size(open_blocks), session.options().checkpoint_period_seconds);
}

void announce_checkpoint(Session& session, const std::string& bytes) {
  const std::string& directory = session.checkpoint()->directory();
  const std::optional<std::uint64_t> free = free_bytes_at(directory);
  session.warn(fmt::format("{}: the checkpoint takes {}{}", directory, bytes,
                           free ? "; " + core::format_size(*free) + " are free" : ""));
}

void announce_kept_space(Session& session, const graph::EdgeFacts& input, const KeptBytes& bytes) {
  if (session.checkpoint() == nullptr) return;
  std::string needed =
      fmt::format("up to {} bytes for each edge and {} for each node", bytes.per_edge, bytes.per_node);
  if (bytes.per_edge + bytes.per_node == 0) {
    needed = "less than 1 MiB";
  } else if (input.edges) {
    // Without a declared n the nodes with an edge are counted, at most two for each.
    const std::uint64_t nodes = input.nodes.value_or(core::size_product(*input.edges, 2));
    // Solvers keep other data beside a sort.
    const std::uint64_t writes = bytes.per_edge == 0
                                     ? 1
                                     : sort_writes(session, *input.edges, input.layout.record_bytes(),
                                                   session.environment().memory.available() / 2);
    const std::uint64_t edge_bytes = core::size_product(*input.edges, bytes.per_edge);
    needed = "up to " + core::format_size(core::size_sum(core::size_product(edge_bytes, writes),
                                                         core::size_product(nodes, bytes.per_node)));
  }
  if (bytes.per_edge > 0) needed += kept_by_each_state(session);
  announce_checkpoint(session, needed);
}

}  // namespace emgraph::apps
