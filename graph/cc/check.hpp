// SPDX-License-Identifier: MIT
// Checks that labels are the connected components of a graph.
//
// Property: the label of a node is the smallest id of its component. Equivalent rules, which messages name:
// label[v] <= v; label[label[v]] = label[v]; the ends of every edge have equal labels (so a class contains
// whole components); from every node a path leads to its label (so a class is within a component).
// For the last rule the checker unites nodes itself, on one thread, in trees whose root is the smallest node.
// No code of the solver is used. The method is short and reads any input once. Spreading "reaches its label"
// from node to node would take a bit per node, but as many readings as paths are long.
#pragma once

#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::cc {

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::semi_external, "a label and a link per node"}) {}
  std::uint64_t components = 0;  ///< when ok
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the source's, else the largest id of the edges + 1
};

/// Bytes that check() keeps for each node.
constexpr std::uint64_t checked_node_bytes(std::size_t id_bytes) {
  return 2 * id_bytes;
}

/// I/O: the labels and the edges once. Memory: two ids per node. Threads: one.
/// Throws: DataError (unreadable input), MemoryLimitError (saying what would do), EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& labels,
              const CheckOptions& options);

}  // namespace emgraph::graph::cc
