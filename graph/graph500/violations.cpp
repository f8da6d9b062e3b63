// SPDX-License-Identifier: MIT
// The messages of violated rules.
#include "graph/graph500/violations.hpp"

#include "core/base/bytes.hpp"

namespace emgraph::graph::graph500 {
namespace {

std::string name(std::uint64_t number, Edge32 edge) {
  return "edge " + std::to_string(number) + " (" + std::to_string(edge.source) + ", " +
         std::to_string(edge.target) + ")";
}

}  // namespace

std::string parent_fault(const NodeClaim& claim) {
  const bool node_or_none = claim.parent == no_parent_claim || claim.parent < claim.nodes;
  if (node_or_none && (claim.node == claim.root) == (claim.parent == claim.node)) return {};
  const std::string node = "node " + std::to_string(claim.node);
  if (!node_or_none) {
    return node + " has the parent " + std::to_string(claim.parent) + ", expected a node below " +
           std::to_string(claim.nodes);
  }
  return claim.node == claim.root ? "the root " + std::to_string(claim.node) + " is not its own parent"
                                  : node + " is its own parent, but not the root";
}

std::string distance_fault(const NodeClaim& claim, double distance) {
  const bool reached = claim.parent != no_parent_claim;
  if (!(distance >= 0) || std::isinf(distance) == reached) {
    return "node " + std::to_string(claim.node) + " has the distance " + core::format_real(distance) +
           " and " + (reached ? "a parent, expected a number from 0 on" : "no parent");
  }
  if (claim.node == claim.root && distance != 0) {
    return "the root has the distance " + core::format_real(distance) + ", expected 0";
  }
  return {};
}

std::string outside_parent_message(std::uint32_t node, std::uint32_t parent) {
  return "node " + std::to_string(node) + " has the parent " + std::to_string(parent) +
         ", which is not in the tree";
}

std::string cycle_message(std::uint64_t node) {
  return "the parents of node " + std::to_string(node) + " do not lead to the root in " +
         std::to_string(most_levels) + " steps: found a cycle, expected a tree";
}

std::string unconfirmed_message(std::uint64_t node, std::uint32_t parent, bool distances) {
  return "no edge joins node " + std::to_string(node) + " and its parent " + std::to_string(parent) +
         (distances ? " with the difference of their distances as weight" : "");
}

std::string edge_message(std::uint64_t number, Edge32 edge, unsigned rule, std::uint16_t source_level,
                         std::uint16_t target_level) {
  if (rule == 4) return name(number, edge) + " leads out of the tree";
  return name(number, edge) + " joins levels " + std::to_string(source_level) + " and " +
         std::to_string(target_level) + ", expected at most one apart";
}

std::string edge_message(std::uint64_t number, Edge32 edge, unsigned rule, double source_distance,
                         double target_distance, float weight) {
  if (rule == 4) return name(number, edge) + " leads out of the tree";
  return name(number, edge) + " of weight " + core::format_real(double{weight}) + " joins distances " +
         core::format_real(source_distance) + " and " + core::format_real(target_distance) +
         ", expected at most the weight apart";
}

}  // namespace emgraph::graph::graph500
