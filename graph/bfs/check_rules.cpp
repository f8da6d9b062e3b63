// SPDX-License-Identifier: MIT
// Messages of the checks.
#include "graph/bfs/check_rules.hpp"

#include <utility>

namespace emgraph::graph::bfs {

bool note_level(std::uint64_t node, std::uint64_t level, const std::optional<std::uint64_t>& wanted_root,
                Verdict& verdict) {
  if (level != unreached_claim) ++verdict.reached;
  if (level == 0) {
    if (verdict.root) {
      verdict.message = "node " + std::to_string(node) + " has level 0, and so has node " +
                        std::to_string(*verdict.root) + ": only one can be the root";
      verdict.root.reset();
      return false;
    }
    verdict.root = node;
  } else if (wanted_root == node) {
    verdict.message = "root " + std::to_string(node) + " " + level_text(level) + ", expected level 0";
    return false;
  }
  return true;
}

bool check_root(Verdict& verdict) {
  if (verdict.root || verdict.nodes == 0) return true;
  verdict.message = "no node has level 0: there is no root";
  return false;
}

bool fail_parents(Verdict& verdict, std::string message) {
  verdict.message = std::move(message);
  verdict.about_parents = true;
  return false;
}

std::string level_text(std::uint64_t level) {
  return level == unreached_claim ? "is unreached" : "has level " + std::to_string(level);
}

std::string edge_message(std::uint64_t source, std::uint64_t target, std::uint64_t source_level,
                         std::uint64_t target_level, bool directed) {
  return "edge " + std::to_string(source) + (directed ? " -> " : " - ") + std::to_string(target) + ": node " +
         std::to_string(source) + " " + level_text(source_level) + ", node " + std::to_string(target) + " " +
         level_text(target_level);
}

std::string no_witness_message(std::uint64_t node, std::uint64_t level) {
  return "node " + std::to_string(node) + " has level " + std::to_string(level) +
         ", but no neighbour on the level above";
}

std::string smaller_parent_message(std::uint64_t node, std::uint64_t parent, std::uint64_t smaller) {
  if (parent == unreached_claim) {
    return "node " + std::to_string(node) + " is reached, but has no parent; expected " +
           std::to_string(smaller) + " or smaller";
  }
  return "node " + std::to_string(node) + " has parent " + std::to_string(parent) + ", but neighbour " +
         std::to_string(smaller) + " on the level above is smaller";
}

std::string parent_message(std::uint64_t node, std::uint64_t level, std::uint64_t parent) {
  const std::string name = "node " + std::to_string(node);
  const std::string has =
      parent == unreached_claim ? " has no parent" : " has parent " + std::to_string(parent);
  if (level == unreached_claim) return name + " is unreached, but" + has;
  if (level == 0) return name + " is the root, but" + has + "; expected itself";
  return name + has + ", which is no neighbour on the level above";
}

std::string count_message(const char* what, std::uint64_t found, bool more, std::uint64_t nodes) {
  return std::string("there are ") + std::to_string(found) + (more ? " and more " : " ") + what + " for " +
         std::to_string(nodes) + " nodes";
}

}  // namespace emgraph::graph::bfs
