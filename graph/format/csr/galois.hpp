// SPDX-License-Identifier: MIT
// The binary graphs of Galois (.gr) as one of the edge formats.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Little-endian: u64 version (1 or 2), u64 bytes of data per edge, u64 nodes, u64 edges; u64 end[nodes];
/// u32 (version 1) or u64 (version 2) target[edges], filled up to 8 bytes; the data of the edges.
/// Source: IntelligentSoftwareSystems/Galois, libgalois/src/FileGraph.cpp.
/// DIMACS files are called .gr, too, but are text: a version of 8 bytes tells them apart. Under a name that
/// no format has, the sizes must agree as well.
bool is_galois(const FileStart& start);

/// Regular files alone. Data of 4 bytes become weights u32, of 8 bytes i64; others are refused.
Opened open_galois(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options);

}  // namespace emgraph::graph::format
