// SPDX-License-Identifier: MIT
// The nodes on the way to a target, from distances in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/memory/growing_array.hpp"
#include "graph/node_bits.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/query_paths.hpp"

namespace emgraph::graph::sssp {

/// The nodes found by breadth-first search from a node, in the order of their steps.
class NodesBehind {
 public:
  struct Found {
    std::uint64_t node;
    std::uint64_t steps;  ///< number of arcs, the least
    bool on_way;          ///< on a shortest way from a node where the search ends
  };

  NodesBehind(core::MemoryBudget& memory, std::uint64_t nodes);
  /// False if the node was found before.
  bool add(std::uint64_t node, std::uint64_t steps);
  /// To be called after the last add(), before find().
  void sort_by_node();
  /// Null: not found.
  Found* find(std::uint64_t node) const;
  void clear();

  std::uint64_t size() const { return size_; }
  Found& operator[](std::uint64_t i) const { return found_[i]; }

 private:
  core::GrowingArray<Found> found_;
  core::GrowingArray<std::uint64_t> by_node_;
  NodeBits seen_;
  std::uint64_t size_ = 0;
};

/// Finds the path of a query by the rule of parents (parents.hpp), for the nodes on the way alone.
///
/// Time: the arcs of the nodes on the way, and of the nodes at the same distance behind arcs that add
/// nothing, where no nearer node leads to them. Memory: 8 bytes for each node on the way; where it leads
/// along arcs that add nothing, a bit per node of the graph and 32 bytes for each node behind such arcs.
/// Threads: one. Throws: MemoryLimitError.
template <class Distances, class RowsType>
class PathTrace {
 public:
  using Id = typename RowsType::Id;

  /// `back`: the reversed arcs. `names`: the nodes of the rows, by which parents are chosen; null: the
  /// numbers of the rows. `distances`: from the source of the queries.
  PathTrace(core::MemoryBudget& memory, const RowsType& back, const Id* names,
            const std::uint64_t* distances);

  /// Finds the path of a query between rows, and keeps its nodes as that of query `number`. Requires: the
  /// target is reached, and the distances are final up to that of the target.
  void add_to(QueryPaths& paths, std::size_t number, const Query& query);

 private:
  void append(std::uint64_t row);
  std::uint64_t last() const { return path_[length_ - 1]; }
  std::uint64_t smaller(std::uint64_t a, std::uint64_t b) const;
  std::uint64_t nearer_parent(std::uint64_t node) const;
  void follow_equal(std::uint64_t root);
  std::uint64_t find_behind(std::uint64_t root);
  template <class Take>
  void next_on_way(const NodesBehind::Found& from, Take&& take) const;
  bool adds_nothing(std::uint64_t from, std::uint64_t length, std::uint64_t to) const;

  core::MemoryBudget& memory_;
  const RowsType& back_;
  const Id* const names_;
  const std::uint64_t* const distance_;
  core::GrowingArray<std::uint64_t> path_;  ///< rows, from target to source
  std::uint64_t length_ = 0;
  std::optional<NodesBehind> behind_;  ///< the end of the path, along arcs that add nothing
};

}  // namespace emgraph::graph::sssp
