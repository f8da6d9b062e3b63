// SPDX-License-Identifier: MIT
// Reads edges that lie as rows without blocks in a file, or come so through a pipe.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/environment.hpp"
#include "core/io/extent_reader.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/source/held_extent.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/source/row_reader.hpp"

namespace emgraph::graph::format {

/// Rows of `format` take all bytes from `data_offset` to the end of the file, in which a pipe stands already.
/// Throws DataError unless they are whole rows and, if facts.edges is set, as many as it says: of a file at
/// once, of a pipe at its end.
std::unique_ptr<RecordSource> open_raw_rows(core::Environment& environment, core::InputFile input,
                                            const EdgeFacts& facts, std::uint64_t data_offset,
                                            const RowFormat& format, unsigned max_lanes);

}  // namespace emgraph::graph::format
