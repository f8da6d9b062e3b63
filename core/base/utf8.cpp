// SPDX-License-Identifier: MIT
// Tells a character by its first byte and checks the others.
#include "core/base/utf8.hpp"

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

}  // namespace emgraph::core
