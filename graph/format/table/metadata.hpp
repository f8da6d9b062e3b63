// SPDX-License-Identifier: MIT
// How a file was made: keys and values, kept in order.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace emgraph::graph::format {

inline constexpr std::size_t max_metadata_bytes = std::size_t{1} << 20;

/// Keys without '=' and line breaks; line breaks in values become spaces when written.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Lines "key=value".
std::string metadata_text(const Metadata& metadata);
Metadata parse_metadata(const std::string& text);

}  // namespace emgraph::graph::format
