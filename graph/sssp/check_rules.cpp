// SPDX-License-Identifier: MIT
// The root and the messages of the checks.
#include "graph/sssp/check_rules.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::graph::sssp {
namespace {

std::string name_of(std::uint64_t node) {
  return "node " + std::to_string(node);
}

std::string double_text(std::uint64_t word) {
  return core::format_real(std::bit_cast<double>(word));
}

std::string has_parent(std::uint64_t parent) {
  return parent == no_parent ? " has no parent" : " has parent " + std::to_string(parent);
}

}  // namespace

bool RootRule::fail(std::string message) {
  verdict_.message = std::move(message);
  return false;
}

bool RootRule::note_distance(std::uint64_t node, std::uint64_t distance, WeightType type) {
  if (distance != unreached_word(type)) ++verdict_.reached;
  if (distance == 0 && zeros_++ == 0) smallest_zero_ = node;
  if (wanted_ != node) return true;
  if (distance != 0) {
    return fail("root " + std::to_string(node) + " " + distance_text(type, distance) +
                ", expected distance 0");
  }
  verdict_.root = node;
  return true;
}

bool RootRule::check_distances() {
  if (zeros_ == 0 && verdict_.nodes > 0) return fail("no node has distance 0: there is no root");
  if (!wanted_ && !with_parents_ && zeros_ == 1) verdict_.root = smallest_zero_;
  return true;
}

bool RootRule::note_parent(std::uint64_t node, std::uint64_t distance, std::uint64_t parent,
                           WeightType type) {
  if (wanted_ || parent != node || distance == unreached_word(type)) return true;
  if (verdict_.root) {
    return fail_parents(verdict_, name_of(node) + " is its own parent, and so is " + name_of(*verdict_.root) +
                                      ": only one can be the root");
  }
  if (distance != 0) {
    return fail_parents(verdict_, name_of(node) + " is its own parent, but " + distance_text(type, distance) +
                                      ", expected distance 0 at the root");
  }
  verdict_.root = node;
  return true;
}

bool RootRule::check_parents() {
  if (verdict_.root || !with_parents_ || verdict_.nodes == 0) return true;
  return fail_parents(verdict_, "no node is its own parent: there is no root");
}

bool fail_parents(Verdict& verdict, std::string message) {
  verdict.message = std::move(message);
  verdict.about_parents = true;
  return false;
}

std::string distance_text(WeightType type, std::uint64_t distance) {
  if (distance == unreached_word(type)) return "is unreached";
  return "has distance " + (is_floating(type) ? double_text(distance) : std::to_string(distance));
}

std::string invalid_distance_message(std::uint64_t node, std::uint64_t word) {
  return name_of(node) + " has distance " + double_text(word) + ", expected a number of 0 or more, or inf";
}

std::string arc_message(std::uint64_t source, std::uint64_t target, WeightType type, std::uint64_t sum,
                        std::uint64_t found) {
  return "edge " + std::to_string(source) + " -> " + std::to_string(target) + ": " + name_of(target) + " " +
         distance_text(type, found) + ", expected at most " +
         (is_floating(type) ? double_text(sum) : std::to_string(sum)) + " by this edge";
}

std::string overflow_message(std::uint64_t source, std::uint64_t target) {
  return "edge " + std::to_string(source) + " -> " + std::to_string(target) + ": " + name_of(target) +
         " is unreached, but this edge leads to it; its distance does not fit into 64 bits";
}

std::string unsupported_message(std::uint64_t node) {
  return name_of(node) + " has a distance that no path from the root has";
}

std::string two_roots_message(std::uint64_t a, std::uint64_t b) {
  return name_of(std::min(a, b)) + " and " + name_of(std::max(a, b)) +
         " have distance 0, but no path of length 0 leads from one to the other";
}

std::string smaller_parent_message(std::uint64_t node, std::uint64_t parent, std::uint64_t expected) {
  if (parent == no_parent) {
    return name_of(node) + " is reached, but has no parent; expected " + std::to_string(expected) +
           " or smaller";
  }
  return name_of(node) + has_parent(parent) + ", but " + std::to_string(expected) +
         " is smaller and also before it on a shortest path";
}

std::string parent_message(std::uint64_t node, bool reached, bool root, std::uint64_t parent) {
  if (!reached) return name_of(node) + " is unreached, but" + has_parent(parent);
  if (root) return name_of(node) + " is the root, but" + has_parent(parent) + "; expected itself";
  return name_of(node) + has_parent(parent) + ", which is not a nearer neighbour on a shortest path";
}

std::string equal_parent_message(std::uint64_t node, std::uint64_t parent, std::uint64_t expected) {
  return name_of(node) + has_parent(parent) + ", expected " + std::to_string(expected) +
         ", the smallest of those with the fewest arcs that add nothing";
}

std::string count_message(const char* what, std::uint64_t found, bool more, std::uint64_t nodes) {
  return std::string("there are ") + std::to_string(found) + (more ? " and more " : " ") + what + " for " +
         std::to_string(nodes) + " nodes";
}

}  // namespace emgraph::graph::sssp
