// SPDX-License-Identifier: MIT
// The words and numbers of a header line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emgraph::graph::format {

/// What stands between blanks.
std::vector<std::string_view> columns_of(std::string_view line);

/// Does it start with digits?
bool is_number(std::string_view column);

/// Throws DataError naming `which`, the file and the line. Not a number below 2^64: an error.
std::uint64_t header_number(std::string_view column, const std::string& which, const std::string& file,
                            std::uint64_t line);

}  // namespace emgraph::graph::format
