// SPDX-License-Identifier: MIT
// NumPy arrays (.npy) as one of the edge formats.
#pragma once

#include <memory>

#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

bool is_npy_file(const FileStart& start);

/// Arrays m x 2, or m x 3 with a weight (2 x m and 3 x m, too), in C or Fortran order, of integers of 1 to 8
/// bytes or floating-point numbers of 4 or 8, of either byte order. Only rows of little-endian integers of 4
/// or 8 bytes come from a pipe. A negative or fractional id, and a weight that does not fit its type, throw
/// DataError when they are read.
Opened open_npy(core::Environment& environment, core::InputFile input, const Format& format,
                const OpenOptions& options);

/// Writes m x 2, without weights.
std::unique_ptr<EdgeWriter> create_npy(const Creation& creation, const Format& format);

}  // namespace emgraph::graph::format
