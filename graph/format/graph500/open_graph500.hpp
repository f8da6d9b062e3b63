// SPDX-License-Identifier: MIT
// Packed edges of the Graph500 benchmark as one of the edge formats.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Ids of 4 bytes unless options say 8 (IdTooWide if one is larger); from a file or a pipe.
Opened open_graph500(core::Environment& environment, core::InputFile input, const Format& format,
                     const OpenOptions& options);
/// Weights and payload are dropped; an id from 2^47 on is a DataError when it is appended.
std::unique_ptr<EdgeWriter> create_graph500(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
