// SPDX-License-Identifier: MIT
// Checks that labels are the connected components of a graph.
//
// Property: the label of a node is the smallest id of its component. It follows from, and is explained to the
// user by: label[v] <= v; label[label[v]] = label[v]; the ends of every edge have equal labels (so a class is
// never less than a component); from every node a path leads to its label (so it is never more).
// For the last one the checker links nodes itself, one thread, one edge after the other, by forest trees
// whose root is the smallest node. Nothing of the solver is used. Chosen for being short and taking one
// reading of any input; spreading "I reach my label" from node to node would do with a bit per node, but
// takes as many readings as paths are long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::cc {

struct Verdict {
  bool ok = false;
  std::string message;  ///< when not ok: the first node or edge that is wrong, and why
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t components = 0;  ///< when ok
  ModelChoice choice{.model = MemoryModel::semi_external, .reason = ""};
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the source's, else the largest id of the edges + 1
};

/// I/O: the labels and the edges once. Memory: two ids per node. Threads: one.
/// Throws: DataError (unreadable input), MemoryLimitError (saying what would do), EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& labels,
              const CheckOptions& options);

}  // namespace emgraph::graph::cc
