// SPDX-License-Identifier: MIT
// Text of a file in a message.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::graph::format {

/// The start of a text, at most 24 bytes of whole UTF-8 characters, in quotes. "binary data" if that has
/// control characters or is no UTF-8.
std::string quoted_text(std::string_view text);

}  // namespace emgraph::graph::format
