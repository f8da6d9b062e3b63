// SPDX-License-Identifier: MIT
// Escapes the characters that JSON requires to be escaped, and no others.
#include "core/base/json_text.hpp"

namespace emgraph::core {
namespace {

bool between(char c, unsigned least, unsigned most) {
  const auto byte = static_cast<unsigned char>(c);
  return least <= byte && byte <= most;
}

}  // namespace

std::size_t character_bytes(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  if (lead < 0x80) return 1;
  const std::size_t bytes = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (bytes == 0 || rest.size() < bytes) return 0;
  // Excludes overlong forms, surrogates, and code points above U+10FFFF.
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!between(rest[1], least, most)) return 0;
  for (std::size_t i = 2; i < bytes; ++i) {
    if (!between(rest[i], 0x80, 0xBF)) return 0;
  }
  return bytes;
}

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
    } else if (between(c, 0, 0x1F)) {
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
