// SPDX-License-Identifier: MIT
// Bounds of the space of a checkpoint.
#include "apps/files/kept_space.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "core/base/bytes.hpp"

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

std::string kept_by_each_state(Session& session) {
  return fmt::format(", and up to {} more for each state while edges are read",
                     core::format_size(session.environment().memory.limit() / 4));
}

void announce_kept_space(Session& session, const graph::EdgeFacts& input, const KeptBytes& bytes) {
  if (session.checkpoint() == nullptr) return;
  const std::string& directory = session.checkpoint()->directory();
  std::error_code failed;
  const std::filesystem::space_info space = std::filesystem::space(directory, failed);
  std::string needed =
      fmt::format("up to {} bytes for each edge and {} for each node", bytes.per_edge, bytes.per_node);
  if (bytes.per_edge + bytes.per_node == 0) {
    needed = "less than 1 MiB";
  } else if (input.edges) {
    // Without a declared n the nodes with an edge are counted, at most two for each.
    const std::uint64_t nodes = input.nodes.value_or(core::size_product(*input.edges, 2));
    needed = "up to " + core::format_size(core::size_sum(core::size_product(*input.edges, bytes.per_edge),
                                                         core::size_product(nodes, bytes.per_node)));
  }
  if (bytes.per_edge > 0) needed += kept_by_each_state(session);
  session.warn(fmt::format("{}: the checkpoint takes {}{}", directory, needed,
                           failed ? "" : "; " + core::format_size(space.available) + " are free"));
}

}  // namespace emgraph::apps
