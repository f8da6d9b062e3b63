// SPDX-License-Identifier: MIT
// Node values as lines of text.
#pragma once

#include <memory>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::graph::format {

/// Lines "value", or "node\tvalue" with nodes 0, 1, 2, …; all lines of one kind; with `row_values` lines of
/// as many values, at most 16. # starts a comment line.
std::unique_ptr<NodeReader> open_node_text(core::Environment& environment, core::InputFile input,
                                           std::uint64_t row_values);

}  // namespace emgraph::graph::format
