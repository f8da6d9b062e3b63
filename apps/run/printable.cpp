// SPDX-License-Identifier: MIT
// Escapes the C0 controls, DEL, and the C1 controls in UTF-8.
#include "apps/run/printable.hpp"

#include <fmt/core.h>
#include <unistd.h>

namespace emgraph::apps {

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
      out += fmt::format("\\x{:02x}\\x{:02x}", byte, next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

void print_text(std::string_view text) {
  isatty(STDOUT_FILENO) == 1 ? fmt::print("{}", printable(text)) : fmt::print("{}", text);
}

}  // namespace emgraph::apps
