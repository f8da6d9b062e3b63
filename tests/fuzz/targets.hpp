// SPDX-License-Identifier: MIT
// What can be fuzzed: the rows of the table of formats, the readers of node values and of labels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/memory_input.hpp"

namespace emgraph::fuzz {

/// Did the reader accept the input? Nothing if it refused the way or the memory.
using Accepted = std::optional<bool>;

struct Target {
  std::string name;  ///< of its directory in tests/fuzz/corpus, too
  std::function<Accepted(Bytes)> run;
};

/// All of them. A format that is added to graph/format/table/formats.cpp is one more.
std::vector<Target> targets();

/// Reads edges in every way. Stops the process with a finding where a reader breaks a promise.
Accepted read_edges(const std::string& format, Bytes input);
/// The same for node values: npy, tsv or bin.
Accepted read_node_values(const std::string& format, Bytes input);
/// The same for text with labels for ids: csv or text-i64w.
Accepted read_labels(const std::string& format, Bytes input);

}  // namespace emgraph::fuzz
