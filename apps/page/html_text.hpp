// SPDX-License-Identifier: MIT
// Escapes text for an HTML page.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::apps {

/// Escapes & < > " ' for text and for attributes in double quotes. Control characters, which HTML cannot
/// represent, and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

}  // namespace emgraph::apps
