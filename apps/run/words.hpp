// SPDX-License-Identifier: MIT
// Lists of words as one text, and back; words in place of words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emgraph::apps {

/// The words, with `between` between any two of them. fmt::join would bring half of fmt into each file that
/// uses it: a second of compiling.
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

/// The parts of `text` between separators, at least one; parts may be empty.
std::vector<std::string> parts_of(std::string_view text, char separator);

/// `text` with `to` in place of each `from`, from left to right.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace emgraph::apps
