// SPDX-License-Identifier: MIT
// Strongly connected components of arcs in memory, in topological order.
//
// Problem: number the components so that arcs lead from smaller numbers to larger ones. Method: depth-first
// search without recursion, so paths may have any length. For a node whose component is not complete, the
// array of numbers has the smallest visit number that was reached from it; then the number of its component.
// Source: Tarjan (1972), doi 10.1137/0201010; Pearce (2016), doi 10.1016/j.ipl.2015.08.010.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::scc {

/// The targets of the arcs of each node, in any order. Memory: 8 bytes per node, an id per arc.
template <class Id>
class ArcRows {
 public:
  ArcRows(core::MemoryBudget& memory, std::size_t nodes, std::size_t most_arcs)
      : ends_(memory, nodes, "8 bytes per node"), targets_(memory, most_arcs, "an id per edge") {}

  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t arcs) {
    return core::size_sum(core::size_product(nodes, 8), core::size_product(arcs, sizeof(Id)),
                          2 * core::page_bytes);
  }

  /// Replaces the rows. `for_each(visit)` calls visit(source, target) for each arc. It is called twice and
  /// must give the same arcs, at most `most_arcs`.
  template <class ForEach>
  void fill(ForEach&& for_each) {
    std::fill_n(ends_.data(), ends_.size(), std::uint64_t{0});
    for_each([&](Id source, Id) { ++ends_[source]; });
    std::uint64_t begin = 0;
    for (std::uint64_t& end : ends_.span()) begin += std::exchange(end, begin);
    for_each([&](Id source, Id target) { targets_[ends_[source]++] = target; });
  }

  std::uint64_t begin(std::size_t node) const { return node == 0 ? 0 : ends_[node - 1]; }
  std::uint64_t end(std::size_t node) const { return ends_[node]; }
  Id target(std::uint64_t at) const { return targets_[at]; }
  std::span<const Id> of(std::size_t node) const {
    return {targets_.data() + begin(node), targets_.data() + end(node)};
  }

 private:
  core::Array<std::uint64_t> ends_;
  core::Array<Id> targets_;
};

/// Memory: 8 bytes and two ids per node. Time: linear in nodes and arcs. Threads: one.
template <class Id>
class DepthFirst {
 public:
  DepthFirst(core::MemoryBudget& memory, std::size_t nodes)
      : nodes_(nodes),
        numbers_(memory, nodes, "an id per node"),
        stack_(memory, nodes, "an id per node"),
        places_(memory, nodes, "8 bytes per node") {}

  static std::uint64_t bytes_for(std::uint64_t nodes) {
    return core::size_sum(core::size_product(nodes, 2 * sizeof(Id) + 8), 3 * core::page_bytes);
  }

  /// Requires: fewer nodes than the largest Id.
  void run(const ArcRows<Id>& rows) {
    std::fill_n(numbers_.data(), nodes_, unvisited);
    path_ = 0;
    pending_ = nodes_;
    next_visit_ = 1;
    next_component_ = static_cast<Id>(nodes_ - 1);
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (numbers_[node] == unvisited) search(rows, static_cast<Id>(node));
    }
  }

  /// The number of the component of each node, below the number of nodes.
  std::span<const Id> numbers() const { return numbers_.span(); }

  /// The nodes by ascending number of their components. Overwrites scratch().
  std::span<const Id> order() {
    std::fill_n(places_.data(), nodes_, std::uint64_t{0});
    for (const Id number : numbers_.span()) ++places_[number];
    std::uint64_t begin = 0;
    for (std::uint64_t& place : places_.span()) begin += std::exchange(place, begin);
    for (std::size_t node = 0; node < nodes_; ++node) {
      stack_[places_[numbers_[node]]++] = static_cast<Id>(node);
    }
    return stack_.span();
  }

  /// Room for an id per node after run().
  std::span<Id> scratch() const { return stack_.span(); }

 private:
  // Components get their numbers from the largest down. A visit number counts nodes whose component is not
  // complete, so it does not exceed a number that was given to a component. Number 0 is given only if every
  // node is a component, and then to the last one, after which no number is read any more.
  static constexpr Id unvisited = 0;
  /// In an element of places_: an earlier node of the path was reached from this one.
  static constexpr std::uint64_t reaches_earlier = std::uint64_t{1} << 63;

  // The stack has the path at its front, and at its back the nodes that were left before their component was
  // complete. places_[i]: the arc at which node i of the path stands.
  void search(const ArcRows<Id>& rows, Id start) {
    visit(rows, start);
    while (path_ > 0) {
      const Id node = stack_[path_ - 1];
      std::uint64_t& place = places_[path_ - 1];
      std::uint64_t at = place & ~reaches_earlier;
      Id lowest = numbers_[node];
      std::uint64_t flag = place & reaches_earlier;
      Id next = node;
      for (const std::uint64_t end = rows.end(node); at < end; ++at) {
        const Id number = numbers_[rows.target(at)];
        if (number == unvisited) {
          next = rows.target(at);  // its arc is looked at again when it was left
          break;
        }
        if (number < lowest) {
          lowest = number;
          flag = reaches_earlier;
        }
      }
      numbers_[node] = lowest;
      if (next != node) {
        place = at | flag;
        visit(rows, next);
      } else {
        leave(node, flag != 0);
      }
    }
  }

  void visit(const ArcRows<Id>& rows, Id node) {
    numbers_[node] = next_visit_++;
    stack_[path_] = node;
    places_[path_++] = rows.begin(node);
  }

  void leave(Id node, bool reaches) {
    --path_;
    if (reaches) {
      stack_[--pending_] = node;
      return;
    }
    const Id visit = numbers_[node];
    for (; pending_ < nodes_ && numbers_[stack_[pending_]] >= visit; ++pending_) {
      numbers_[stack_[pending_]] = next_component_;
      --next_visit_;
    }
    numbers_[node] = next_component_--;
    --next_visit_;
  }

  const std::size_t nodes_;
  core::Array<Id> numbers_;
  core::Array<Id> stack_;
  core::Array<std::uint64_t> places_;
  std::size_t path_ = 0;     ///< nodes on the path
  std::size_t pending_ = 0;  ///< where the nodes at the back begin
  Id next_visit_ = 1;
  Id next_component_ = 0;
};

}  // namespace emgraph::graph::scc
