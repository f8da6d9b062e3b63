// SPDX-License-Identifier: MIT
// How a file was made: keys and values, kept in order.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace emgraph::graph::format {

/// Keys without '=' and line breaks; line breaks in values become spaces when written.
using Metadata = std::vector<std::pair<std::string, std::string>>;

}  // namespace emgraph::graph::format
