// SPDX-License-Identifier: MIT
// Converts arbitrary bytes to a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::core {

/// Returns the string with its quotation marks. Each byte that is not part of valid UTF-8 becomes U+FFFD:
/// file names may hold any bytes.
std::string json_text(std::string_view bytes);

}  // namespace emgraph::core
