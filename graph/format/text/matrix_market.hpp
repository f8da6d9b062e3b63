// SPDX-License-Identifier: MIT
// Matrix Market coordinate files: sparse matrices. An entry is an edge from its row to its column. Rows and
// columns are the same nodes, or with OpenOptions::bipartite the two sides of a graph.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

bool is_matrix_market(const FileStart& start);
/// Reads edges in the order of the file. A symmetric matrix stores each pair once, as an entry below the
/// diagonal; its edge leads from the column to the row, that is from the smaller id to the larger. Weights
/// are i64 (integer) or f64 (real). In skew-symmetric matrices only the stored entries are edges, with their
/// sign.
Opened open_matrix_market(core::Environment& environment, core::InputFile input, const Format& format,
                          const OpenOptions& options);
/// Writes a symmetric matrix if the facts declare unique undirected edges from the smaller id to the larger,
/// else a general matrix. f32 weights are written as equal doubles. Output that cannot be rewritten (a pipe)
/// needs declared counts. Throws UsageError.
std::unique_ptr<EdgeWriter> create_matrix_market(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
