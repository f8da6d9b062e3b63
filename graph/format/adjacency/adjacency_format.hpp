// SPDX-License-Identifier: MIT
// Adjacency files as one of the edge formats.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::adjacency {

bool is_adjacency(const format::FileStart& start);
format::Opened open_adjacency(core::Environment& environment, core::InputFile input,
                              const format::Format& format, const format::OpenOptions& options);
std::unique_ptr<format::EdgeWriter> create_adjacency(const format::Creation& creation,
                                                     const format::Format& format);

}  // namespace emgraph::graph::adjacency
