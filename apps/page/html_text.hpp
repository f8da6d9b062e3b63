// SPDX-License-Identifier: MIT
// Text on its way into an HTML page.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::apps {

/// For text and for attributes in double quotes: & < > " ' escaped; control characters, which HTML has no way
/// to hold, and bytes that are no UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

}  // namespace emgraph::apps
