// SPDX-License-Identifier: MIT
// Tells the format of an edge input by magic, then extension, then printable text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

/// Only tabs, line breaks, printable ASCII and UTF-8 bytes; not empty.
bool is_printable(std::span<const std::byte> bytes);

/// "emg", "adj", a raw format's name, "npy" or "text". Raw binary is never guessed. Throws DataError with a
/// hint.
std::string detect_format(core::InputFile& input);

/// Checks a name given by the user; "bin" means "emg". Throws UsageError.
std::string known_format(const std::string& name);

}  // namespace emgraph::graph::format
