// SPDX-License-Identifier: MIT
// UTF-8 characters in arbitrary bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace emgraph::core {

/// Bytes of the UTF-8 character at the start of `rest`; 0 if there is no valid one (Unicode 15, table 3-7).
/// Requires: `rest` is not empty.
std::size_t character_bytes(std::string_view rest);

}  // namespace emgraph::core
