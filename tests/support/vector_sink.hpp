// SPDX-License-Identifier: MIT
// Keeps node values in a vector, in place of a file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/sinks.hpp"

namespace emgraph::tests {

/// Node ids, or the value of each node.
template <class T>
struct VectorSink final : graph::NodeSink<T> {
  std::vector<std::uint64_t> values;
  void append(std::span<const T> batch) override { values.insert(values.end(), batch.begin(), batch.end()); }
};

}  // namespace emgraph::tests
