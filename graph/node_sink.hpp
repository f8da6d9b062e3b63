// SPDX-License-Identifier: MIT
// Where a solver sends a sorted list of node ids.
#pragma once

#include <cstdint>
#include <span>

namespace emgraph::graph {

/// Receives ascending node ids in batches. Throws on I/O errors.
template <class Id>
class NodeListSink {
 public:
  virtual ~NodeListSink() = default;
  virtual void append(std::span<const Id> ids) = 0;
};

}  // namespace emgraph::graph
