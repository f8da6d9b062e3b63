// SPDX-License-Identifier: MIT
// "Did you mean": finds the known word nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emgraph::apps {

/// The word of `known` with the least edit distance to `typed`, or "" when none is near.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& known);

}  // namespace emgraph::apps
