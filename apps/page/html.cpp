// SPDX-License-Identifier: MIT
// UTF-8 is checked against the table of well-formed sequences (Unicode 15, table 3-7).
#include "apps/page/html.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>

namespace emgraph::apps {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

/// Bytes of the well-formed sequence at the start; 0 if there is none.
std::size_t sequence_bytes(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const auto in = [&byte](std::size_t i, unsigned from, unsigned to) {
    return byte(i) >= from && byte(i) <= to;
  };
  if (byte(0) < 0x80) return 1;
  if (in(0, 0xc2, 0xdf)) return in(1, 0x80, 0xbf) ? 2 : 0;
  if (in(0, 0xe0, 0xef)) {
    const unsigned from = byte(0) == 0xe0 ? 0xa0 : 0x80;
    const unsigned to = byte(0) == 0xed ? 0x9f : 0xbf;
    return in(1, from, to) && in(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (in(0, 0xf0, 0xf4)) {
    const unsigned from = byte(0) == 0xf0 ? 0x90 : 0x80;
    const unsigned to = byte(0) == 0xf4 ? 0x8f : 0xbf;
    return in(1, from, to) && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

std::string_view entity(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence_bytes(text);
    const char letter = text.front();
    const bool control = static_cast<std::uint8_t>(letter) < 0x20 || letter == 0x7f;
    if (length == 0 || (control && letter != '\t' && letter != '\n')) {
      out += replacement;
    } else if (const std::string_view name = entity(letter); !name.empty()) {
      out += name;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

HtmlTable::HtmlTable(const std::string& caption, const std::vector<std::string>& columns)
    : text_(fmt::format("<table>\n<caption>{}</caption>\n", escaped(caption))) {
  if (!columns.empty()) {
    text_ += "<thead><tr>";
    for (const std::string& column : columns) {
      text_ += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
    }
    text_ += "</tr></thead>\n";
  }
  text_ += "<tbody>\n";
}

void HtmlTable::row(const std::string& head, const std::vector<std::string>& cells) {
  text_ += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(head));
  for (const std::string& cell : cells) text_ += fmt::format("<td>{}</td>", escaped(cell));
  text_ += "</tr>\n";
}

}  // namespace emgraph::apps
