// SPDX-License-Identifier: MIT
// Writes lines with labels in place of nodes, a batch at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "apps/run/session.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/nodes/label_map.hpp"
#include "graph/format/packing/text_output.hpp"

namespace emgraph::apps {

/// The nodes of a line, and the values after them.
struct LabelRow {
  std::array<std::uint64_t, 2> nodes = {0, 0};
  std::array<std::byte, 8> value = {};
};

/// The contents of a line.
struct LabelRowLayout {
  std::size_t nodes = 1;
  bool number = false;                                 ///< an unsigned 8-byte number after the nodes
  graph::WeightType weight = graph::WeightType::none;  ///< a weight after the nodes
};

/// Method: sorts the distinct nodes of a batch, fetches their labels in this order, then writes the lines in
/// order. With little memory there are more batches, and each of them reads the map at most once. Memory:
/// half of the free memory. Threads: one. Throws: DataError (a node has no label), UsageError (the output is
/// not text), EnvironmentError, MemoryLimitError.
class LabelLines {
 public:
  /// `map` must outlive this object. `input`: name for messages.
  LabelLines(Session& session, graph::format::LabelMap& map, const std::string& input,
             const LabelRowLayout& layout);

  void append(const LabelRow& row) {
    rows_[filled_++] = row;
    if (filled_ == rows_.size()) flush();
  }
  void finish();

 private:
  void flush();
  bool write(std::span<const LabelRow> rows);
  std::string_view label(std::uint64_t node) const;
  void put(std::string_view text);

  const std::string input_;
  const LabelRowLayout layout_;
  graph::format::LabelMap& map_;
  std::unique_ptr<graph::format::TextOutput> output_;
  core::Array<LabelRow> rows_;
  std::size_t filled_ = 0;
  core::Array<std::uint64_t> nodes_;  ///< distinct nodes of the batch, ascending
  std::size_t distinct_ = 0;
  core::Array<std::uint64_t> ends_;  ///< ends of their labels in texts_
  core::Buffer texts_;
  core::Buffer lines_;  ///< lines that are not yet written
  std::size_t lines_filled_ = 0;
};

}  // namespace emgraph::apps
