// SPDX-License-Identifier: MIT
// Coordinates of nodes: the files .co of the 9th DIMACS challenge.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/function_ref.hpp"
#include "core/environment.hpp"

namespace emgraph::graph::format {

/// Calls take(node, x, y) for every node line; nodes count from 0 here, from 1 in the file. Lines: "c …"
/// comments; one problem line "p aux sp co N"; then N lines "v NODE X Y" with integers. `path`: a file or
/// "-"; may be packed (gzip, zstd, xz, bzip2). Returns N. I/O: reads the file once. Memory: 64 KiB and that
/// of unpacking. Threads: one. Throws: DataError with the line (no or another problem line, a line that is no
/// node, a number that is none or does not fit, a node that is 0 or above N, more or fewer lines than
/// declared), EnvironmentError, MemoryLimitError, exceptions of `take`. Source: 9th DIMACS Implementation
/// Challenge, "File formats", 2006.
std::uint64_t read_coordinates(
    core::Environment& environment, const std::string& path,
    core::FunctionRef<void(std::uint64_t node, std::int64_t x, std::int64_t y)> take);

}  // namespace emgraph::graph::format
