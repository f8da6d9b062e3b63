// SPDX-License-Identifier: MIT
// UTF-8 in arbitrary bytes, and JSON strings of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emgraph::core {

/// Bytes of the UTF-8 character at the start of `rest`; 0 if there is no valid one (Unicode 15, table 3-7).
/// Requires: `rest` is not empty.
std::size_t character_bytes(std::string_view rest);

/// Returns the string with its quotation marks. Each byte that is not part of valid UTF-8 becomes U+FFFD:
/// file names may hold any bytes.
std::string json_text(std::string_view bytes);

}  // namespace emgraph::core
