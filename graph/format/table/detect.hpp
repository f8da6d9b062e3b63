// SPDX-License-Identifier: MIT
// Tells the format of an edge input by magic, then extension, then printable text.
#pragma once

#include <cstddef>
#include <span>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Only tabs, line breaks, printable ASCII and UTF-8 bytes; not empty.
bool is_printable(std::span<const std::byte> bytes);

/// Looks into packed files, too, as unpacked_start does. Throws DataError, naming what was found, where
/// nothing fits, and MemoryLimitError.
const Format& detect_format(core::Environment& environment, core::InputFile& input);

/// Throws DataError if the file is packed, by its name and its bytes, and `format`, which somebody named, is
/// not read so: packed raw edges would be taken for other edges.
void check_unpacked(core::InputFile& input, const Format& format);

}  // namespace emgraph::graph::format
