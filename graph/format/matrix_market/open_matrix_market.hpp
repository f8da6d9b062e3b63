// SPDX-License-Identifier: MIT
// Matrix Market coordinate files: sparse square matrices, an entry is an edge from its row to its column.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

bool is_matrix_market(const FileStart& start);
/// Edges in the order of the file. Of a symmetric matrix each pair is stored once, as the entry below the
/// diagonal: its edge leads from the column to the row, from the smaller id to the larger. Weights are i64
/// (integer) or f64 (real). Of skew-symmetric matrices the stored entries alone are edges, with their sign.
Opened open_matrix_market(core::Environment& environment, core::InputFile input, const Format& format,
                          const OpenOptions& options);
/// symmetric where the facts say that each edge is there once, from the smaller id to the larger, and not
/// that it is directed; else general. f32 weights are written as the doubles they are, which is what readers
/// take them for. Output that cannot be rewritten (a pipe) needs declared counts. Throws UsageError.
std::unique_ptr<EdgeWriter> create_matrix_market(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
