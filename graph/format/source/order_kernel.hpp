// SPDX-License-Identifier: MIT
// Vector kernel that finds edges which break a declared order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emgraph::graph::format {

/// What a header declares about its edges.
struct OrderRules {
  bool by_source = false;  ///< ascending by (source, target)
  bool unique = false;     ///< with by_source: strictly
  bool no_loops = false;
  bool low_first = false;  ///< source <= target

  bool any() const { return by_source || no_loops || low_first; }
};

/// True if one of `count` edges breaks the rules. `edges` holds source, target, source, … The vector width is
/// chosen at run time; the result does not depend on it.
bool breaks_rules(const OrderRules& rules, const std::uint32_t* edges, std::size_t count);

}  // namespace emgraph::graph::format
