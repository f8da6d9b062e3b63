// SPDX-License-Identifier: MIT
// Receivers of results: node ids, values of nodes, edges of a forest, labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/io/state_stream.hpp"

namespace emgraph::graph {

/// Receives the result of a solver in batches: ascending node ids, or the values of nodes 0, 1, 2 …; the
/// solver documents which. Throws on I/O errors.
template <class T>
class NodeSink {
 public:
  virtual ~NodeSink() = default;
  virtual void append(std::span<const T> values) = 0;
  /// Called when it is known that the result will have at least so many values. Throws EnvironmentError if
  /// there is no space for them.
  virtual void expect(std::uint64_t /*values*/) {}
  /// What was appended so far, for a run with a checkpoint (core::OutputFile::save, restore). Throws
  /// std::logic_error if the result cannot be continued.
  virtual void save(core::StateWriter& /*to*/) {
    throw std::logic_error("a result that cannot be continued");
  }
  virtual void restore(core::StateReader& /*from*/) {
    throw std::logic_error("a result that cannot be continued");
  }
};

/// Appends values that are in memory.
template <class T>
void append_in_batches(NodeSink<T>& sink, std::span<const T> values) {
  constexpr std::size_t batch = 64 * 1024;
  for (std::size_t done = 0; done < values.size(); done += batch) {
    sink.append(values.subspan(done, std::min(batch, values.size() - done)));
  }
}

/// An edge of a spanning forest: low < high, the weight's bits zero-extended. -0.0 is given as 0.0.
struct ForestEdge {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::uint64_t weight = 0;
};

/// Receives the forest in batches, ascending by (low, high). Throws on I/O errors.
class ForestSink {
 public:
  virtual ~ForestSink() = default;
  virtual void append(std::span<const ForestEdge> edges) = 0;
};

/// Receives the labels of nodes 0, 1, 2 …
class LabelSink {
 public:
  virtual ~LabelSink() = default;
  /// Takes the label of the next node. Throws on I/O errors.
  virtual void append(std::string_view label) = 0;
};

}  // namespace emgraph::graph
