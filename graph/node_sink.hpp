// SPDX-License-Identifier: MIT
// Where a solver sends what it found: a sorted list of node ids, or one value per node.
#pragma once

#include <cstdint>
#include <span>

namespace emgraph::graph {

/// Receives batches: node ids, ascending, or the values of nodes 0, 1, 2 …, as the solver says. Throws on
/// I/O errors.
template <class T>
class NodeSink {
 public:
  virtual ~NodeSink() = default;
  virtual void append(std::span<const T> values) = 0;
};

}  // namespace emgraph::graph
