// SPDX-License-Identifier: MIT
// Escapes the characters that JSON requires to be escaped, and no others.
#include "core/base/json_text.hpp"

#include <cstddef>

#include "core/base/utf8.hpp"

namespace emgraph::core {

std::string json_text(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "\"";
  while (!bytes.empty()) {
    const std::size_t length = character_bytes(bytes);
    const char c = bytes[0];
    if (length == 0) {
      text += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) <= 0x1F) {
      text += "\\u00";
      text += digits[c >> 4];
      text += digits[c & 0xF];
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text + '"';
}

}  // namespace emgraph::core
