// SPDX-License-Identifier: MIT
// Shared by both checks of a search: values of nodes as read, the rules for one edge, the messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "graph/bfs/check.hpp"
#include "graph/format/nodes/claimed_values.hpp"

namespace emgraph::graph::bfs {

/// The level of a node that was not reached, in 64 bits: larger than any level.
inline constexpr std::uint64_t unreached_claim = ~std::uint64_t{0};

/// What an edge between nodes of these levels shows.
enum class EdgeRule {
  nothing,         ///< the edge keeps the rules
  target_witness,  ///< the source is a neighbour of the target, on the level above
  source_witness,  ///< the target is a neighbour of the source, on the level above; not if directed
  violated
};

constexpr EdgeRule edge_rule(std::uint64_t source_level, std::uint64_t target_level, bool directed) {
  if (source_level == target_level) return EdgeRule::nothing;
  if (source_level == unreached_claim) return directed ? EdgeRule::nothing : EdgeRule::violated;
  if (target_level == unreached_claim) return EdgeRule::violated;
  if (target_level == source_level + 1) return EdgeRule::target_witness;
  if (directed) return target_level < source_level ? EdgeRule::nothing : EdgeRule::violated;
  return source_level == target_level + 1 ? EdgeRule::source_witness : EdgeRule::violated;
}

/// Checks the level of a node by itself; to be called for all nodes in order. Returns false, with a message
/// in the verdict, for a second root, and for the wanted root if its level is not 0.
bool note_level(std::uint64_t node, std::uint64_t level, const std::optional<std::uint64_t>& wanted_root,
                Verdict& verdict);
/// After note_level() for all nodes: returns false, with a message, if there is no root.
bool check_root(Verdict& verdict);
/// Notes a message about the parents; returns false.
bool fail_parents(Verdict& verdict, std::string message);

std::string level_text(std::uint64_t level);
std::string edge_message(std::uint64_t source, std::uint64_t target, std::uint64_t source_level,
                         std::uint64_t target_level, bool directed);
std::string no_witness_message(std::uint64_t node, std::uint64_t level);
std::string smaller_parent_message(std::uint64_t node, std::uint64_t parent, std::uint64_t smaller);
/// `parent` of a node that is the root, or unreached, or has no such neighbour above.
std::string parent_message(std::uint64_t node, std::uint64_t level, std::uint64_t parent);
std::string count_message(const char* what, std::uint64_t found, bool more, std::uint64_t nodes);

}  // namespace emgraph::graph::bfs
