// SPDX-License-Identifier: MIT
// Text of any bytes as a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::core {

/// With its quotation marks. File names may hold any bytes: those that are no UTF-8 become U+FFFD each.
std::string json_text(std::string_view bytes);

}  // namespace emgraph::core
