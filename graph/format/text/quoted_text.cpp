// SPDX-License-Identifier: MIT
// Takes one character after the other.
#include "graph/format/text/quoted_text.hpp"

#include <cstddef>

#include "core/base/utf8.hpp"

namespace emgraph::graph::format {

std::string quoted_text(std::string_view text) {
  constexpr std::size_t most_bytes = 24;
  std::size_t shown = 0;
  while (shown < text.size()) {
    const auto byte = static_cast<unsigned char>(text[shown]);
    const std::size_t bytes = core::character_bytes(text.substr(shown));
    if (shown + bytes > most_bytes) break;
    if (bytes == 0 || byte < ' ' || byte == 0x7f) return "binary data";
    shown += bytes;
  }
  return "'" + std::string(text.substr(0, shown)) + "'";
}

}  // namespace emgraph::graph::format
