// SPDX-License-Identifier: MIT
// Text of others on a terminal: without control characters.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::apps {

/// Control characters but line ends and tabs become \x1b and the like, so that a name or label cannot move
/// the cursor, change the title or hide text (as `ls` and `git` do).
std::string printable(std::string_view text);

/// Prints text on standard output, printable() if that is a terminal.
void print_text(std::string_view text);

}  // namespace emgraph::apps
