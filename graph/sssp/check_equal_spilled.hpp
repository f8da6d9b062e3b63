// SPDX-License-Identifier: MIT
// The search along arcs that add nothing (check_equal_arcs.hpp) with nodes and arcs on disk.
//
// Method: level by level the arcs, sorted by source, are merged with the last level; the targets are sorted
// and merged with the nodes that are left. The level of a node is its number of steps, and the first source
// of its targets is the smallest.
//
// I/O: O(sort(arcs)); for each level a scan of the arcs and of the nodes that are left. Memory: all that is
// free, at least about 3 MiB. Threads: as the sorts. Throws: MemoryLimitError, EnvironmentError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/block/run.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/sssp/check_equal_arcs.hpp"

namespace emgraph::graph::sssp {

/// The functions are those of HeldEqualArcs.
template <core::IntegerKey Key>
class SpilledEqualArcs {
 public:
  SpilledEqualArcs(core::Environment& environment, const prepare::EdgeKeys<Key>& keys, EqualArcs<Key>&& equal,
                   bool with_parents)
      : environment_(environment), keys_(keys), with_parents_(with_parents), nodes_(std::move(equal.nodes)) {
    core::RunWriter<Key> sorted(environment_, block_bytes());
    const std::uint64_t records = equal.arcs.records;
    core::RunCursor<Key> at(environment_, std::move(equal.arcs));
    core::SerialSort<Key> sort(environment_, last_key(), records, sort_bytes());
    for (; !at.at_end(); at.next()) sort.push(*at);
    for (sort.start(); !sort.at_end(); sort.next()) sorted.push(sort.key());
    arcs_ = sorted.finish();
    reset();
  }

  void reset() {
    core::RunWriter<PendingNode> left(environment_, block_bytes());
    for (core::RunCursor<PendingNode> at(environment_, nodes_); !at.at_end(); at.next()) left.push(*at);
    left_ = left.finish();
  }

  std::optional<WrongParent> spread_from_outside() {
    core::Run<std::uint64_t> pending;
    {
      core::RunWriter<std::uint64_t> nodes(environment_, block_bytes());
      for (core::RunCursor<PendingNode> at(environment_, left_); !at.at_end(); at.next())
        nodes.push(at->node);
      pending = nodes.finish();
    }
    return search(round(std::move(pending), false));
  }

  std::optional<WrongParent> spread_from(std::uint64_t node) {
    core::RunWriter<PendingNode> rest(environment_, block_bytes());
    for (core::RunCursor<PendingNode> at(environment_, std::move(left_)); !at.at_end(); at.next()) {
      if (at->node != node) rest.push(*at);
    }
    left_ = rest.finish();
    core::RunWriter<std::uint64_t> level(environment_, block_bytes());
    level.push(node);
    return search(level.finish());
  }

  std::optional<std::uint64_t> first_left() {
    const core::RunCursor<PendingNode> at(environment_, left_);
    if (at.at_end()) return std::nullopt;
    return at->node;
  }

 private:
  std::size_t block_bytes() const { return check_block_bytes(environment_); }
  std::size_t sort_bytes() const { return environment_.memory.available() / 4 * 3; }
  Key last_key() const {
    const auto last = core::low_mask<std::uint64_t>(keys_.id_bits);
    return keys_.make(last, last);
  }

  std::optional<WrongParent> search(core::Run<std::uint64_t> level) {
    while (level.records > 0 && !wrong_) level = round(std::move(level), true);
    return wrong_;
  }

  /// Follows the arcs whose sources are (`inside`) or are not among the nodes. Returns the nodes that are
  /// reached and were left, ascending.
  core::Run<std::uint64_t> round(core::Run<std::uint64_t> nodes, bool inside) {
    core::RunWriter<std::uint64_t> level(environment_, block_bytes());
    core::RunWriter<PendingNode> rest(environment_, block_bytes());
    core::RunCursor<PendingNode> left(environment_, std::move(left_));
    core::RunCursor<Key> arc(environment_, arcs_);
    core::RunCursor<std::uint64_t> node(environment_, std::move(nodes));
    core::SerialSort<Key> targets(environment_, last_key(), arcs_.records, sort_bytes());
    for (; !arc.at_end(); arc.next()) {
      const std::uint64_t source = keys_.first(*arc);
      while (!node.at_end() && *node < source) node.next();
      const bool found = !node.at_end() && *node == source;
      if (found == inside) targets.push(keys_.make(keys_.second(*arc), source));
    }
    targets.start();
    for (; !left.at_end(); left.next()) {
      while (!targets.at_end() && keys_.first(targets.key()) < left->node) targets.next();
      if (targets.at_end() || keys_.first(targets.key()) != left->node) {
        rest.push(*left);
        continue;
      }
      const std::uint64_t parent = keys_.second(targets.key());
      if (with_parents_ && parent != left->parent && !wrong_) {
        wrong_ = WrongParent{left->node, left->parent, parent};
      }
      level.push(left->node);
    }
    left_ = rest.finish();
    return level.finish();
  }

  core::Environment& environment_;
  const prepare::EdgeKeys<Key> keys_;
  const bool with_parents_;
  core::Run<PendingNode> nodes_;
  core::Run<PendingNode> left_;  ///< not reached yet
  core::Run<Key> arcs_;          ///< ascending
  std::optional<WrongParent> wrong_;
};

}  // namespace emgraph::graph::sssp
