// SPDX-License-Identifier: MIT
// Shared by both checks of shortest paths: values of nodes as read, which node is the root, the messages.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "graph/edge_weights.hpp"
#include "graph/format/nodes/claimed_values.hpp"
#include "graph/sssp/check.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::graph::sssp {

/// The claimed parent of a node without one.
inline constexpr std::uint64_t no_parent = ~std::uint64_t{0};

/// The weights that arcs of shortest paths may have.
inline constexpr WeightLimits check_limits = {
    .valid = valid_length, .expected = "a finite number of at least 0", .of_loops = true};

/// Finds the root: the one that was asked for, else the node that is its own parent, else the only node of
/// distance 0. Notes what is wrong in the verdict. Call in the order of the functions.
class RootRule {
 public:
  RootRule(const CheckOptions& options, bool with_parents, Verdict& verdict)
      : wanted_(options.root), with_parents_(with_parents), verdict_(verdict) {}

  /// For all nodes in order. False, with a message, if the root that was asked for has another distance.
  bool note_distance(std::uint64_t node, std::uint64_t distance, WeightType type);
  /// After all distances. False, with a message, if there can be no root.
  bool check_distances();
  /// For all nodes in order, if there are parents. False, with a message, for a second root.
  bool note_parent(std::uint64_t node, std::uint64_t distance, std::uint64_t parent, WeightType type);
  /// After all parents.
  bool check_parents();

  /// True if several nodes have distance 0, and nothing says which of them is the root.
  bool open() const { return !wanted_ && !with_parents_ && zeros_ > 1; }
  bool is_root(std::uint64_t node) const { return verdict_.root == node; }

 private:
  bool fail(std::string message);

  const std::optional<std::uint64_t> wanted_;
  const bool with_parents_;
  Verdict& verdict_;
  std::uint64_t zeros_ = 0;
  std::uint64_t smallest_zero_ = 0;
};

/// The word of a claimed distance: -0.0 becomes 0.0. False for one that is negative or NaN.
template <class Distances>
bool valid_distance(std::uint64_t& word) {
  if constexpr (Distances::floating) {
    const double value = std::bit_cast<double>(word);
    if (std::isnan(value) || value < 0) return false;
    if (value == 0) word = 0;
  }
  return true;
}

/// Notes a message about the parents; returns false.
bool fail_parents(Verdict& verdict, std::string message);

std::string distance_text(WeightType type, std::uint64_t distance);
std::string invalid_distance_message(std::uint64_t node, std::uint64_t word);
/// An arc that gives its target the distance `sum`, less than the claimed one.
std::string arc_message(std::uint64_t source, std::uint64_t target, WeightType type, std::uint64_t sum,
                        std::uint64_t found);
/// An arc from a reached node to an unreached one, whose sum does not fit a distance.
std::string overflow_message(std::uint64_t source, std::uint64_t target);
std::string unsupported_message(std::uint64_t node);
/// Two nodes of distance 0, of which neither supports the other.
std::string two_roots_message(std::uint64_t a, std::uint64_t b);
/// `expected`: a nearer node, smaller than the parent.
std::string smaller_parent_message(std::uint64_t node, std::uint64_t parent, std::uint64_t expected);
/// `parent` is not the parent of its node: the root, an unreached node, or one that has a nearer neighbour.
std::string parent_message(std::uint64_t node, bool reached, bool root, std::uint64_t parent);
/// The same for a node with no nearer neighbour.
std::string equal_parent_message(std::uint64_t node, std::uint64_t parent, std::uint64_t expected);
std::string count_message(const char* what, std::uint64_t found, bool more, std::uint64_t nodes);

}  // namespace emgraph::graph::sssp
