// SPDX-License-Identifier: MIT
// Checks that arcs that add nothing support the nodes that no nearer node supports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "graph/sssp/check_equal_arcs.hpp"
#include "graph/sssp/check_equal_spilled.hpp"
#include "graph/sssp/check_rules.hpp"

namespace emgraph::graph::sssp {

/// Calls work(search) with the search that fits into memory.
template <core::IntegerKey Key, class Work>
decltype(auto) with_equal_arcs(core::Environment& environment, const prepare::EdgeKeys<Key>& keys,
                               EqualArcs<Key>&& equal, bool with_parents, Work&& work) {
  if (HeldEqualArcs<Key>::bytes(equal) <= environment.memory.available() / 4 * 3) {
    HeldEqualArcs<Key> search(environment, keys, std::move(equal), with_parents);
    return work(search);
  }
  SpilledEqualArcs<Key> search(environment, keys, std::move(equal), with_parents);
  return work(search);
}

/// Checks that all pending nodes are supported. Notes in the verdict what is wrong.
template <core::IntegerKey Key>
void check_equal_arcs(core::Environment& environment, const prepare::EdgeKeys<Key>& keys,
                      EqualArcs<Key>&& equal, bool with_parents, Verdict& verdict) {
  with_equal_arcs(environment, keys, std::move(equal), with_parents, [&](auto& search) {
    if (const auto wrong = search.spread_from_outside()) {
      fail_parents(verdict, equal_parent_message(wrong->node, wrong->parent, wrong->expected));
    } else if (const auto left = search.first_left()) {
      verdict.message = unsupported_message(*left);
    }
  });
}

/// The pending nodes are all nodes of distance 0. Finds the smallest that supports the others: a node that is
/// left by searches from smaller nodes is supported by none of their nodes, so that only the last of these
/// can support all. Sets the root, or returns what is wrong.
template <core::IntegerKey Key>
std::string find_root(core::Environment& environment, const prepare::EdgeKeys<Key>& keys,
                      EqualArcs<Key>&& equal, std::optional<std::uint64_t>& root) {
  return with_equal_arcs(environment, keys, std::move(equal), false, [&](auto& search) -> std::string {
    std::uint64_t last = 0;
    for (auto node = search.first_left(); node; node = search.first_left()) {
      last = *node;
      search.spread_from(last);
    }
    search.reset();
    search.spread_from(last);
    if (const auto left = search.first_left()) return two_roots_message(last, *left);
    root = last;
    return "";
  });
}

}  // namespace emgraph::graph::sssp
