// SPDX-License-Identifier: MIT
// Detects the format of an edge input by magic, then by extension, then by printable text.
#pragma once

#include <cstddef>
#include <span>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// True if `bytes` is not empty and has only tabs, line breaks, printable ASCII and UTF-8 bytes.
bool is_printable(std::span<const std::byte> bytes);

/// Detects the format, also of packed files (unpacked_start). Throws DataError with the bytes found if no
/// format fits, and MemoryLimitError.
const Format& detect_format(core::Environment& environment, core::InputFile& input);

/// The format whose mark the file, unpacked, begins with; nullptr if there is none.
const Format* marked_format(core::Environment& environment, core::InputFile& input);

/// Throws DataError if the file is packed, according to its name and its bytes, and the user has chosen a
/// `format` without packing, which would read packed bytes as raw edges.
void check_unpacked(core::InputFile& input, const Format& format);

}  // namespace emgraph::graph::format
