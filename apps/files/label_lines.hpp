// SPDX-License-Identifier: MIT
// Prints lines with labels in place of nodes, in batches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/nodes/label_map.hpp"
#include "graph/format/packing/text_output.hpp"

namespace emgraph::apps {

class Session;

/// The nodes of a line, printed as labels, and the value after them.
struct LabelRow {
  std::array<std::uint64_t, 3> nodes = {0, 0, 0};
  std::array<std::byte, 8> value = {};
};

/// The columns of a line.
struct LabelRowLayout {
  std::size_t nodes = 1;                               ///< 1 to 3
  bool number = false;                                 ///< an unsigned number of 8 bytes after the nodes
  graph::WeightType weight = graph::WeightType::none;  ///< a weight after the nodes
  /// With ',', labels that need quotes have them (RFC 4180); with a tab, a tab in a label becomes "\t".
  char separator = '\t';
  /// The names of the columns, for a first line; empty: there is none.
  std::vector<std::string_view> header = {};
  bool terminal = false;  ///< labels are shown with their control characters escaped
  /// The most rows of a batch. More rows need fewer passes over the map, and delay the first line.
  std::size_t most_rows = std::size_t{1} << 20;
};

/// A label as a column of CSV: in double quotes where it needs them (RFC 4180), or would begin a comment.
std::string csv_column(std::string_view label);
/// A label as a column between tabs: a tab in it becomes "\t".
std::string tsv_column(std::string_view label);
/// As csv_column(), always in quotes.
std::string quoted_column(std::string_view label);

/// Method: the distinct nodes of a batch are sorted, their labels are fetched in one pass over the map, and
/// the lines are written in order. There is no external sort: with little memory there are more batches, and
/// parts of the map are read once for each of them. Memory: half of the free memory. Threads: one. Throws:
/// DataError (a node has no label), EnvironmentError, MemoryLimitError.
class LabelLines {
 public:
  /// `map` outlives this. `input`: for messages.
  LabelLines(core::Environment& environment, graph::format::LabelMap& map, const std::string& input,
             const LabelRowLayout& layout, std::unique_ptr<graph::format::TextOutput> output);

  void append(const LabelRow& row) {
    rows_[filled_++] = row;
    if (filled_ == rows_.size()) flush();
  }
  /// Completes the output. Warns if a label makes a line a comment.
  void finish(Session& session);
  /// Bytes of the output so far.
  std::uint64_t bytes() const { return output_->size(); }

 private:
  void flush();
  bool write(std::span<const LabelRow> rows);
  std::string_view label(std::uint64_t node) const;
  void put(std::string_view text);
  void put_label(std::string_view label);

  const std::string input_;
  const LabelRowLayout layout_;
  graph::format::LabelMap& map_;
  std::unique_ptr<graph::format::TextOutput> output_;
  core::Array<LabelRow> rows_;
  std::size_t filled_ = 0;
  core::Array<std::uint64_t> nodes_;  ///< of the rows of the batch: distinct, ascending
  std::size_t distinct_ = 0;
  core::Array<std::uint64_t> ends_;  ///< of their labels in texts_
  core::Buffer texts_;
  core::Buffer lines_;  ///< text not yet written
  std::size_t lines_filled_ = 0;
  std::string comment_;  ///< the first label that begins a line as comments begin; empty: none
};

}  // namespace emgraph::apps
