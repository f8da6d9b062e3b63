// SPDX-License-Identifier: MIT
// What formats that hold an adjacency ask of the edges they are given.
#pragma once

#include <string>

#include "core/base/error.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Are the edges to be stored in one direction only? They must be declared ascending by (source, target),
/// unique, without loops, and either symmetric or directed: UsageError naming `path` otherwise.
inline bool directed_adjacency(const EdgeFacts& facts, const std::string& path) {
  const bool directed = facts.directed && !facts.symmetric;
  if (facts.order != EdgeOrder::source_target || !facts.unique || !facts.no_loops ||
      !(facts.symmetric || directed)) {
    throw core::UsageError(
        path +
        ": an adjacency holds sorted edges without loops and duplicates, in both directions "
        "unless they are directed; emgraph convert makes it of any edges");
  }
  return directed;
}

}  // namespace emgraph::graph::format
