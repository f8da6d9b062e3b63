// SPDX-License-Identifier: MIT
// Writes node results: sorted id lists, or one value per node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/io/output_file.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::format {

struct NodeWriterOptions {
  /// "npy", "tsv", "csv", "bin"; default: by extension, else npy. csv is tsv with commas in place of tabs.
  std::optional<std::string> format = std::nullopt;
  core::Overwrite overwrite = core::Overwrite::refuse;
  /// Number of values. An npy header contains it. Without it, values for an output that cannot be rewritten
  /// (pipes) are stored on the temporary disks and written at the end.
  std::optional<std::uint64_t> count = std::nullopt;
  /// True: one value per node in node order; lines of text are "node\tvalue" (csv: "node,value") instead of
  /// "value".
  bool dense = false;
  /// Text only: the names of the columns, which become the first line. Empty: no such line.
  std::vector<std::string> column_names = {};
  /// 0: single values. Else the number of values per row: npy has two axes, and each tsv line is a row.
  std::uint64_t columns = 0;
  /// True: values of 8 bytes are the bits of doubles. npy: '<f8'; tsv: the shortest text that reads back the
  /// same, "inf" for infinity.
  bool floating = false;
};

/// Writes values of type Id in order, in bounded memory. Not thread-safe. Destruction without finish()
/// removes the output.
template <class Id>
class NodeWriter : public NodeSink<Id> {
 public:
  /// Completes the output. Throws std::logic_error if the count was wrong.
  virtual void finish() = 0;
  /// Values appended so far.
  virtual std::uint64_t values() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

/// Id is std::uint32_t or std::uint64_t. Throws UsageError (unknown format, output exists), EnvironmentError,
/// std::logic_error (floating values of 4 bytes).
template <class Id>
std::unique_ptr<NodeWriter<Id>> open_node_writer(core::Environment& environment, const std::string& path,
                                                 const NodeWriterOptions& options);

}  // namespace emgraph::graph::format
