// SPDX-License-Identifier: MIT
// Replaces what is no valid text, and escapes what HTML reserves.
#include "apps/page/html.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>

#include "core/base/utf8.hpp"

namespace emgraph::apps {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

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
    const std::size_t length = core::character_bytes(text);
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
