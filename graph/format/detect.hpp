// SPDX-License-Identifier: MIT
// Tells the format of an edge input by magic, then extension, then printable text.
#pragma once

#include <cstddef>
#include <span>

#include "core/io/input_file.hpp"
#include "graph/format/format.hpp"

namespace emgraph::graph::format {

/// Only tabs, line breaks, printable ASCII and UTF-8 bytes; not empty.
bool is_printable(std::span<const std::byte> bytes);

/// Looks into packed files, too. Throws DataError, naming what was found, where nothing fits.
const Format& detect_format(core::InputFile& input);

}  // namespace emgraph::graph::format
