// SPDX-License-Identifier: MIT
// The five rules on one node and on one edge, and their messages: for validation in memory and on disk.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "graph/types.hpp"

namespace emgraph::graph::graph500 {

inline constexpr std::uint32_t no_parent_claim = ~std::uint32_t{0};
inline constexpr std::uint16_t no_level = ~std::uint16_t{0};
/// The most levels of a tree. One number before no_level is left out, so that no level is next to no_level.
inline constexpr std::uint16_t most_levels = no_level - 2;

/// The first violation by place, so that the message does not depend on threads or model.
struct Finding {
  unsigned rule = 0;        ///< 0: none
  std::uint64_t place = 0;  ///< number of the edge, or the node
  std::string message;

  void add(unsigned broken, std::uint64_t where, const std::string& what) {
    if (rule != 0 && where >= place) return;
    rule = broken;
    place = where;
    message = what;
  }
  void add(const Finding& other) {
    if (other.rule != 0) add(other.rule, other.place, other.message);
  }
};

/// What an edge between two nodes shows. It confirms a node if it may be the tree edge from its parent.
struct EdgeShows {
  unsigned broken_rule = 0;
  bool inside = false;  ///< both ends are in the tree
  bool confirms_a = false;
  bool confirms_b = false;
};

/// An edge between nodes a and b, no loop, of these levels. `parent_of(node)` is asked for what is needed.
template <class ParentOf>
EdgeShows edge_between_levels(std::uint32_t a, std::uint32_t b, std::uint16_t level_a, std::uint16_t level_b,
                              const ParentOf& parent_of) {
  if (level_a == level_b) return {.inside = level_a != no_level};
  if (level_a == no_level || level_b == no_level) return {.broken_rule = 4};
  if (std::max(level_a, level_b) - std::min(level_a, level_b) > 1) return {.broken_rule = 3, .inside = true};
  if (level_a > level_b) return {.inside = true, .confirms_a = parent_of(a) == b};
  return {.inside = true, .confirms_b = parent_of(b) == a};
}

/// The same for distances; infinity: unreached.
template <class ParentOf>
EdgeShows edge_between_distances(std::uint32_t a, std::uint32_t b, double distance_a, double distance_b,
                                 float weight, const ParentOf& parent_of) {
  const bool out_a = std::isinf(distance_a);
  const bool out_b = std::isinf(distance_b);
  if (out_a && out_b) return {};
  if (out_a || out_b) return {.broken_rule = 4};
  const double most = std::max(distance_a, distance_b);
  const double reach = std::min(distance_a, distance_b) + double{weight};
  if (most < reach) return {.inside = true};
  if (most > reach) {
    const bool tree = distance_a > distance_b ? parent_of(a) == b : parent_of(b) == a;
    return {.broken_rule = tree ? 2u : 3u, .inside = true};
  }
  // Equal distances (weight 0): either end may be the parent.
  return {.inside = true,
          .confirms_a = distance_a >= distance_b && parent_of(a) == b,
          .confirms_b = distance_b >= distance_a && parent_of(b) == a};
}

/// What a result says about one node.
struct NodeClaim {
  std::uint32_t node;
  std::uint32_t root;
  std::uint64_t nodes;
  std::uint32_t parent;
};

/// What is wrong with the parent of a node, whatever other nodes have; empty: nothing.
std::string parent_fault(const NodeClaim& claim);
/// The same for its distance.
std::string distance_fault(const NodeClaim& claim, double distance);
std::string outside_parent_message(std::uint32_t node, std::uint32_t parent);
std::string cycle_message(std::uint64_t node);
std::string unconfirmed_message(std::uint64_t node, std::uint32_t parent, bool distances);

/// The message on an edge of the list that breaks a rule, with the levels of its ends.
std::string edge_message(std::uint64_t number, Edge32 edge, unsigned rule, std::uint16_t source_level,
                         std::uint16_t target_level);
/// The same with their distances.
std::string edge_message(std::uint64_t number, Edge32 edge, unsigned rule, double source_distance,
                         double target_distance, float weight);

}  // namespace emgraph::graph::graph500
