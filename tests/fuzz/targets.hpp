// SPDX-License-Identifier: MIT
// The fuzzing targets: all formats of the table, the readers of node values and of labels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/memory_input.hpp"

namespace emgraph::fuzz {

/// Whether the reader accepted the input; nullopt if it refused the way of reading or the memory.
using Accepted = std::optional<bool>;

struct Target {
  std::string name;  ///< also the name of its directory in tests/fuzz/corpus
  std::function<Accepted(Bytes)> run;
};

/// All targets, including every format of graph/format/table/formats.cpp.
std::vector<Target> targets();

/// Reads edges in all ways. Aborts the process on a finding.
Accepted read_edges(const std::string& format, Bytes input);
/// The same for node values: npy, tsv or bin.
Accepted read_node_values(const std::string& format, Bytes input);
/// The same for text with labels for ids: csv or text-i64w.
Accepted read_labels(const std::string& format, Bytes input);

}  // namespace emgraph::fuzz
