// SPDX-License-Identifier: MIT
// The components of a graph as lists: their sizes, and their members.
//
// Problem: given the label of every node in node order, list the components by size, and the nodes of each
// component together; n nodes need not fit in memory. Method: the labels wait on the temporary disks until
// the solver has ended. Pairs (label, node) are sorted; a scan finds the members of each component one after
// the other, and counts them. Pairs (n - size, label) are sorted, so the largest component comes first, and
// of equal ones that with the smaller label. No two keys are equal, and both lists follow from the labels
// alone, so they do not depend on the model of the solver, on threads or on memory.
//
// I/O: writes and reads the labels once; a sort of n pairs; a sort of as many pairs as components. Memory:
// two blocks, then all free memory. Threads: one pushes, all sort. Throws: EnvironmentError,
// MemoryLimitError, and what the sinks throw.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/forecast.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::cc {

template <class Id>
class ComponentLists final : public NodeSink<Id> {
 public:
  /// `next` receives the labels, too; it may be null.
  ComponentLists(core::Environment& environment, NodeSink<Id>* next);

  void append(std::span<const Id> labels) override;

  /// Call it once, after the last label. `sizes` receives label and size of each component, the largest
  /// first. `groups` receives label and member for each node, ordered by label, then by member. Both may be
  /// null.
  void finish(NodeSink<std::uint64_t>* sizes, NodeSink<Id>* groups);

  /// For a forecast, in place of append() of `nodes` labels and finish(): adds what they take to the solver's
  /// forecast.
  void rehearse(std::uint64_t nodes, bool sizes, Forecast& forecast);

 private:
  template <class Key>
  void rehearse_lists(std::uint64_t nodes, bool sizes, unsigned bits, Forecast& forecast);
  template <class Key>
  void list(core::Run<Id> labels, NodeSink<std::uint64_t>* sizes, NodeSink<Id>* groups, unsigned bits);

  core::Environment& environment_;
  NodeSink<Id>* next_;
  std::optional<core::RunWriter<Id>> spool_;
};

}  // namespace emgraph::graph::cc
