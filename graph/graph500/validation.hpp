// SPDX-License-Identifier: MIT
// The five rules of the Graph500 specification, in memory, against the edge list.
//
// (1) The parents form a tree without cycles that has the root and all reached nodes. (2) A tree edge joins
// levels one apart; its weight bounds the difference of the distances of its ends. (3) Every edge of the list
// joins levels at most one apart, or distances at most its weight apart, or has neither end in the tree. (4)
// The tree spans the component of the root: no edge leads out of it. (5) A node and its parent are joined by
// an edge of the list; of shortest paths, by one whose weight is the difference of their distances.
// Levels are derived from the parents. No code of the searches is used; every rule is checked in full.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph500/edge_list.hpp"
#include "graph/graph500/violations.hpp"

namespace emgraph::graph::graph500 {

struct Verdict {
  unsigned violated_rule = 0;  ///< 0: none, the result is right
  std::string message;         ///< the edge or node that is wrong, what was found and expected
  std::uint64_t reached = 0;   ///< nodes
  std::uint64_t edges = 0;     ///< of the list with both ends in the tree, duplicates counted, loops not
  std::uint64_t loops = 0;     ///< of the list, at nodes of the tree
  std::uint64_t levels = 0;
  double max_distance = 0;
  std::uint64_t checksum = 0;  ///< of parents and levels, or distances (answer_checksum.hpp)
};

/// I/O: none; one pass over the edge list a validation. Memory: bytes(), charged once: 2 bytes and a bit a
/// node, and for copies of its parent and level 8 more, or of its parent and distance 16. With copies an edge
/// takes fewer misses of the caches. Threads: those of the environment.
class Validator {
 public:
  enum class Copies { none, levels, distances };

  Validator(core::Environment& environment, const EdgeList& list, Copies copies = Copies::none);

  Verdict check_levels(std::uint32_t root, std::span<const std::uint32_t> parents);
  /// Unreached: infinity.
  Verdict check_distances(std::uint32_t root, std::span<const std::uint32_t> parents,
                          std::span<const double> distances);

  static std::uint64_t bytes(std::uint64_t nodes, Copies copies);

 private:
  struct Rules;

  Verdict check(std::uint32_t root, std::span<const std::uint32_t> parents,
                std::span<const double> distances);
  void derive_levels(const Rules& rules, Finding& worst);
  template <class Value>
  void check_edges_of(const Rules& rules, std::span<const Value> values, Finding& worst, Verdict& verdict);
  template <class Value, class See>
  void check_edges_seen(const Rules& rules, const See& see, Finding& worst, Verdict& verdict);
  void check_confirmed(const Rules& rules, Finding& worst, Verdict& verdict);

  core::Environment& environment_;
  const EdgeList& list_;
  core::Buffer copies_;
  core::Array<std::uint16_t> levels_;
  core::Array<std::uint64_t> confirmed_;  // a bit per node: its tree edge is in the list
};

}  // namespace emgraph::graph::graph500
