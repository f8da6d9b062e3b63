// SPDX-License-Identifier: MIT
// Writes node results: sorted id lists, or one value per node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "core/io/output_file.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::format {

struct NodeWriterOptions {
  /// "npy", "tsv", "bin"; default: by extension, else npy.
  std::optional<std::string> format = std::nullopt;
  core::Overwrite overwrite = core::Overwrite::refuse;
  /// How many values will come. An npy header holds it: without, an output that cannot be rewritten (pipes)
  /// gets everything at the end, by way of the temporary disks.
  std::optional<std::uint64_t> count = std::nullopt;
  /// One value per node in node order: tsv lines are "node\tvalue" instead of "value".
  bool dense = false;
  /// 0: plain values. Else rows of as many values: an npy of two axes, tsv lines of a row each.
  std::uint64_t columns = 0;
};

/// Values of type Id, in order; bounded memory. Not thread-safe. Destroyed without finish(): no output.
template <class Id>
class NodeWriter : public NodeSink<Id> {
 public:
  /// Completes the output. A count that does not hold is a std::logic_error.
  virtual void finish() = 0;
  /// Values appended so far.
  virtual std::uint64_t values() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

/// Id is std::uint32_t or std::uint64_t. Throws UsageError (unknown format, output exists), EnvironmentError.
template <class Id>
std::unique_ptr<NodeWriter<Id>> open_node_writer(core::Environment& environment, const std::string& path,
                                                 const NodeWriterOptions& options);

}  // namespace emgraph::graph::format
