// SPDX-License-Identifier: MIT
// Numbers labels of nodes, which may be any text, 0 … n - 1 in the order of their first occurrence.
//
// Problem: number the labels of edges, and write the labels in the order of their numbers. Method: the text
// is read once. All threads parse and hash. One thread at a time, in the order of the input, looks the hashes
// up in a table and writes the edges as pairs of numbers to the temporary disks. The table gives a new label
// the next number. New labels that come after the table is full are spilled and get the numbers after those
// of the table (spilled_labels.hpp). Often these labels are rare, because frequent labels occur early. The
// table holds exactly the first labels, so the numbers do not depend on its size. Labels are compared by
// their hashes; spilled_labels.hpp gives the probability of an error.
//
// I/O: reads the text once; writes and reads the numbered edges once; spilled labels: see spilled_labels.hpp.
// Memory: 23 to 46 bytes per label in the table, at most five eighths of the free memory; the rest is for
// spilled labels. All of it is freed at the end. Threads: all parse, one numbers. Throws: DataError,
// MemoryLimitError, EnvironmentError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
  /// Upper bound of the lanes of the result that exist at the same time.
  unsigned max_lanes = 1;
  /// Upper bound of the table's memory. 0: five eighths of the free memory.
  std::size_t table_bytes = 0;
  /// Texts may have different weights; all are left out then.
  bool weights_may_differ = false;
  /// Labels whose numbers the caller needs.
  std::vector<std::string> asked = {};
};

struct NumberedLabels {
  /// The numbered edges in the order of the input. Declares m and n. Can be rewound.
  std::shared_ptr<format::RecordSource> source;
  std::string_view method;  ///< "table" or "spilled"
  std::string_view reason;
  /// The numbers of the labels in `asked`; nullopt if no edge has the label.
  std::vector<std::optional<std::uint64_t>> numbers = {};
  /// True if no other edge has a label of the first one, which is then perhaps a header. First edges of other
  /// texts that are the same do not count.
  bool lonely_first_edge = false;
};

/// Texts that are read one after another, as one. The same labels get the same numbers.
struct LabelTexts {
  std::size_t count = 1;
  /// Opens a text: once before the first edge is read, and again, if it is reopenable, when its turn comes.
  std::function<std::unique_ptr<format::LabelText>(std::size_t number)> open;
  std::function<bool(std::size_t number)> reopenable = [](std::size_t) { return false; };
};

/// `map` (may be null) receives the labels in the order of their numbers.
NumberedLabels number_labels(core::Environment& environment, const LabelTexts& texts,
                             const LabelOptions& options, LabelSink* map);
/// The labels of one text.
NumberedLabels number_labels(core::Environment& environment, std::unique_ptr<format::LabelText> text,
                             const LabelOptions& options, LabelSink* map);

}  // namespace emgraph::graph::relabel
