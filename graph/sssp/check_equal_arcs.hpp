// SPDX-License-Identifier: MIT
// Finds out which nodes are supported by arcs that add nothing.
//
// Problem: an arc that is tight and adds nothing joins nodes of the same distance. Such arcs alone can
// support nodes in cycles, which no path reaches. Given are the nodes that no nearer node supports, called
// pending, and the tight arcs that add nothing and lead to them. Which pending nodes are reached along these
// arcs from nodes that are not pending, in how few steps, and from which smallest node?
//
// Method: breadth-first search. Here in memory: arcs sorted by source, a queue, whose levels are sorted, so
// that the first arc to a node has the smallest source. If they do not fit: check_equal_spilled.hpp.
//
// I/O: reads the nodes and arcs once. Memory: 32 bytes per node, a key per arc. Threads: one. Throws:
// MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/vector_sort.hpp"
#include "core/block/manager.hpp"
#include "core/block/run.hpp"
#include "core/block/run_blocks.hpp"
#include "core/memory/buffer.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/sssp/check_rules.hpp"

namespace emgraph::graph::sssp {

/// A reached node, not the root, without a tight arc from a nearer node.
struct PendingNode {
  std::uint64_t node = 0;
  std::uint64_t parent = 0;  ///< claimed, if there are parents
};

template <core::IntegerKey Key>
struct EqualArcs {
  core::Run<PendingNode> nodes;  ///< ascending
  core::Run<Key> arcs;           ///< (source, target) in any order; targets are among the nodes
};

/// A block of the runs of a check.
inline std::size_t check_block_bytes(const core::Environment& environment) {
  return core::block_share(environment.memory.limit(), 256, 256 * core::KiB);
}

/// Writes EqualArcs. Memory: four blocks.
template <core::IntegerKey Key>
struct EqualArcsWriter {
  explicit EqualArcsWriter(core::Environment& environment)
      : nodes(environment, check_block_bytes(environment)),
        arcs(environment, check_block_bytes(environment)) {}
  EqualArcs<Key> finish() { return {nodes.finish(), arcs.finish()}; }

  core::RunWriter<PendingNode> nodes;
  core::RunWriter<Key> arcs;
};

struct WrongParent {
  std::uint64_t node = 0;
  std::uint64_t parent = 0;
  std::uint64_t expected = 0;
};

/// The search in memory.
template <core::IntegerKey Key>
class HeldEqualArcs {
 public:
  static std::uint64_t bytes(const EqualArcs<Key>& equal) {
    return core::size_sum(core::size_product(equal.arcs.records, sizeof(Key)),
                          core::size_product(equal.nodes.records, 4 * sizeof(std::uint64_t)));
  }

  /// `with_parents`: compares the claimed parents.
  HeldEqualArcs(core::Environment& environment, const prepare::EdgeKeys<Key>& keys, EqualArcs<Key>&& equal,
                bool with_parents)
      : keys_(keys), with_parents_(with_parents) {
    const auto nodes = static_cast<std::size_t>(equal.nodes.records);
    nodes_ = core::Array<std::uint64_t>(environment.memory, nodes, "nodes without a nearer neighbour");
    claimed_ = core::Array<std::uint64_t>(environment.memory, nodes, "their parents");
    found_ = core::Array<std::uint64_t>(environment.memory, nodes, "their parents");
    queue_ = core::Array<std::uint64_t>(environment.memory, nodes, "their queue");
    arcs_ = core::Array<Key>(environment.memory, static_cast<std::size_t>(equal.arcs.records),
                             "arcs that add nothing");
    std::size_t count = 0;
    for (core::RunCursor<PendingNode> at(environment, std::move(equal.nodes)); !at.at_end(); at.next()) {
      nodes_[count] = at->node;
      claimed_[count++] = at->parent;
    }
    count = 0;
    for (core::RunCursor<Key> at(environment, std::move(equal.arcs)); !at.at_end(); at.next()) {
      arcs_[count++] = *at;
    }
    core::vector_sort(arcs_.span());
    reset();
  }

  void reset() {
    std::fill(found_.span().begin(), found_.span().end(), no_parent);
    first_left_ = 0;
  }

  /// Follows the arcs from all nodes that are not pending. Returns the smallest wrong parent of the first
  /// level that has one.
  std::optional<WrongParent> spread_from_outside() {
    std::size_t end = 0;
    for (std::size_t i = 0; i < arcs_.size();) {
      const std::uint64_t source = keys_.first(arcs_[i]);
      end = find(source) == nodes_.size() ? follow(source, i, end) : end;
      while (i < arcs_.size() && keys_.first(arcs_[i]) == source) ++i;
    }
    return search(end);
  }

  /// Follows the arcs from a pending node, which counts as supported from now on.
  std::optional<WrongParent> spread_from(std::uint64_t node) {
    const std::size_t place = find(node);
    found_[place] = node;
    queue_[0] = place;
    return search(1);
  }

  /// The smallest node that was not reached.
  std::optional<std::uint64_t> first_left() {
    while (first_left_ < nodes_.size() && found_[first_left_] != no_parent) ++first_left_;
    if (first_left_ == nodes_.size()) return std::nullopt;
    return nodes_[first_left_];
  }

 private:
  /// The place of a pending node; nodes_.size() for others.
  std::size_t find(std::uint64_t node) const {
    const auto nodes = nodes_.span();
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
    return at != nodes.end() && *at == node ? static_cast<std::size_t>(at - nodes.begin()) : nodes.size();
  }

  /// Appends the new targets of a source, whose arcs start at place `i`, to the queue. Returns its new end.
  std::size_t follow(std::uint64_t source, std::size_t i, std::size_t end) {
    for (; i < arcs_.size() && keys_.first(arcs_[i]) == source; ++i) {
      const std::size_t target = find(keys_.second(arcs_[i]));
      if (found_[target] != no_parent) continue;
      found_[target] = source;
      queue_[end++] = target;
    }
    return end;
  }

  /// Searches from the first `end` places in the queue.
  std::optional<WrongParent> search(std::size_t end) {
    for (std::size_t begin = 0; begin < end;) {
      const auto level = queue_.span().subspan(begin, end - begin);
      core::vector_sort(level);
      for (const std::uint64_t place : level) {
        if (with_parents_ && found_[place] != claimed_[place]) {
          return WrongParent{nodes_[place], claimed_[place], found_[place]};
        }
      }
      begin = end;
      for (const std::uint64_t place : level) {
        const auto arcs = arcs_.span();
        const auto first = std::lower_bound(arcs.begin(), arcs.end(), keys_.make(nodes_[place], 0));
        end = follow(nodes_[place], static_cast<std::size_t>(first - arcs.begin()), end);
      }
    }
    return std::nullopt;
  }

  const prepare::EdgeKeys<Key> keys_;
  const bool with_parents_;
  core::Array<std::uint64_t> nodes_;
  core::Array<std::uint64_t> claimed_;
  core::Array<std::uint64_t> found_;  ///< the source of the arc by which the node was reached
  core::Array<std::uint64_t> queue_;  ///< places of nodes
  core::Array<Key> arcs_;             ///< ascending
  std::size_t first_left_ = 0;
};

}  // namespace emgraph::graph::sssp
