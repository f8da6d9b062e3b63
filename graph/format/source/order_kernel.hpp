// SPDX-License-Identifier: MIT
// Vector kernels that find edges which break a declared order, or are stored in one direction only, and what
// ids and loops there are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// What a header declares about its edges.
struct OrderRules {
  bool by_source = false;  ///< ascending by (source, target)
  bool unique = false;     ///< with by_source: strictly
  bool no_loops = false;
  bool low_first = false;  ///< source <= target

  bool any() const { return by_source || no_loops || low_first; }
};

/// Without an order by target or by weight, which the kernel does not check.
inline OrderRules rules_of(const EdgeFacts& facts) {
  return {.by_source = facts.order == EdgeOrder::source_target,
          .unique = facts.unique,
          .no_loops = facts.no_loops,
          .low_first = facts.oriented_low};
}

/// True if one of `count` edges breaks the rules. `edges` holds source, target, source, … The vector width is
/// chosen at run time; the result does not depend on it.
bool breaks_rules(const OrderRules& rules, const std::uint32_t* edges, std::size_t count);

struct EndSummary {
  std::uint32_t max_id = 0;
  std::uint64_t loops = 0;
};

/// The largest id and the number of loops; {} of no edges. Otherwise as breaks_rules.
EndSummary summarize_ends(const std::uint32_t* edges, std::size_t count);

/// The sum of a hash of each edge, which counts positive if source < target, negative if source > target, and
/// is the same in both directions: 0 if every edge is stored in both, else 0 with a probability of about
/// 2^-64. Modulo 2^64. Otherwise as breaks_rules.
std::uint64_t direction_balance(const std::uint32_t* edges, std::size_t count);

}  // namespace emgraph::graph::format
