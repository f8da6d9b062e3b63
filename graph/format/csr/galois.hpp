// SPDX-License-Identifier: MIT
// The binary graphs of Galois (.gr) as one of the edge formats.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Little-endian: u64 version (1 or 2), u64 bytes of data per edge, u64 nodes, u64 edges; u64 end[nodes];
/// u32 (version 1) or u64 (version 2) target[edges], filled up to 8 bytes; the data of the edges.
/// Source: IntelligentSoftwareSystems/Galois, libgalois/src/FileGraph.cpp.
/// DIMACS files have the extension .gr, too; they are text, so the 8-byte version number distinguishes them.
/// With an unknown extension the sizes must agree as well.
bool is_galois(const FileStart& start);

/// Opens regular files only. Data of 4 bytes are u32 weights, of 8 bytes i64 weights; other sizes are
/// refused.
Opened open_galois(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options);

}  // namespace emgraph::graph::format
