// SPDX-License-Identifier: MIT
// Sparse matrices as scipy.sparse.save_npz writes them: CSR, CSC and COO.
#pragma once

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

bool is_npz(const FileStart& start);

/// An entry (i, j) is an edge from i to j; its value is the weight, unless values are bool. n is the number
/// of rows. Entries of value 0 that are stored are edges. Throws DataError: no such matrix, not square.
Opened open_npz(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options);

}  // namespace emgraph::graph::format
