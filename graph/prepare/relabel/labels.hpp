// SPDX-License-Identifier: MIT
// Labels of nodes, text of any kind, become 0 … n - 1 in the order in which they come first.
//
// Problem: edges between names; numbers for them, and the names in the order of the numbers. Method: one
// reading of the text. All threads parse and hash; in the order of the input one at a time asks a table of
// hashes for the numbers, which gives new labels the next one, and writes the edges in numbers to the
// temporary disks. The labels that come after the table is full are spilled and numbered behind the others
// (spilled_labels.hpp); often they are the rare ones, because who occurs often comes early. The table holds
// just the first labels, so the numbers do not depend on how many it holds. Labels are compared by hash:
// spilled_labels.hpp says how safe that is.
//
// I/O: the text in once, the edges in numbers once out and in; for what is spilled see there. Memory: 23 to
// 46 bytes per label in the table, which takes at most five eighths of what is free; the rest for spilled
// ones. None is kept. Threads: all parse; one numbers. Throws: DataError, MemoryLimitError, EnvironmentError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/text/label_text.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::relabel {

struct LabelOptions {
  /// Most lanes of the result that will exist at the same time.
  unsigned max_lanes = 1;
  /// Most memory for the table. 0: five eighths of what is free.
  std::size_t table_bytes = 0;
  /// Labels whose numbers are to be told.
  std::vector<std::string> asked = {};
};

struct NumberedLabels {
  /// The same edges in the same order, with numbers for labels. Declares their number and n. Can be rewound.
  std::shared_ptr<format::RecordSource> source;
  std::string_view method;  ///< "table" or "spilled"
  std::string_view reason;
  /// Of the labels that were asked for; nothing where no edge has the label.
  std::vector<std::optional<std::uint64_t>> numbers = {};
};

/// `map` (may be null) receives the labels of nodes 0, 1, 2, …
NumberedLabels number_labels(core::Environment& environment, std::unique_ptr<format::LabelText> text,
                             const LabelOptions& options, LabelSink* map);

}  // namespace emgraph::graph::relabel
