// SPDX-License-Identifier: MIT
// Words as one text. fmt::join would bring half of fmt into each file that uses it: a second of compiling.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::apps {

/// The words, with `between` between any two of them.
template <class Words>
std::string joined(const Words& words, std::string_view between) {
  std::string text;
  bool first = true;
  for (const std::string_view word : words) {
    if (!first) text += between;
    text += word;
    first = false;
  }
  return text;
}

}  // namespace emgraph::apps
