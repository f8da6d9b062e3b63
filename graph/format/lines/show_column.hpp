// SPDX-License-Identifier: MIT
// Words for what was found in a line.
#pragma once

#include <cstdint>
#include <string>

namespace emgraph::graph::format {

/// The column at `at`, fit for a message. Requires: a line feed ends the text.
std::string show_column(const char* at);

/// What is wrong with a column that should be a number from `least` to `most`.
std::string wrong_number(const char* at, const std::string& which, std::uint64_t least, std::uint64_t most);

}  // namespace emgraph::graph::format
