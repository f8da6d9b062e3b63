// SPDX-License-Identifier: MIT
// Rule 1 on disk: the parents form a tree; the levels of its nodes.
#pragma once

#include <cstdint>

#include "core/environment.hpp"
#include "graph/graph500/disk_values.hpp"
#include "graph/graph500/violations.hpp"

namespace emgraph::graph::graph500 {

/// The result of a search on the temporary disks.
struct DiskAnswer {
  std::uint32_t root = 0;
  std::uint64_t nodes = 0;
  const DiskValues<std::uint32_t>& parents;
  const DiskValues<double>* distances = nullptr;  ///< null: of a breadth-first search
};

struct Tree {
  std::uint64_t reached = 0;
  std::uint64_t levels = 0;  ///< including that of the root
  double max_distance = 0;
  DiskValues<std::uint16_t> of_nodes;  ///< the level of each node, if there are no distances
};

/// Problem: whether the parents lead from each reached node to the root; levels of all nodes.
/// Method: pairs (parent, child) are sorted by parent, and merged with the parents: a parent is in the tree.
/// Then level by level: the pairs that are left are merged with the nodes of the last level; the children
/// found are sorted and make the next one. Pairs without a level in the end hang from a cycle. Finds the
/// violation of the smallest node, as validation in memory does.
///
/// I/O: O(sort(n)), and a scan of the pairs left for each level. Memory: all free memory, at least about 4
/// MiB. Threads: those of the sorts. Throws: MemoryLimitError, EnvironmentError.
Tree derive_tree(core::Environment& environment, const DiskAnswer& answer, Finding& finding);

}  // namespace emgraph::graph::graph500
