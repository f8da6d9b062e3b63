// SPDX-License-Identifier: MIT
// Replaces what is no valid text, and escapes what HTML reserves.
#include "apps/page/html.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>

#include "core/base/utf8.hpp"

namespace emgraph::apps {

namespace {

/// Light, dark, narrow and printed. In both colour schemes the contrast of text to its background is at least
/// 4.5 to 1, that of marks at least 3 to 1.
constexpr std::string_view page_style = R"(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f7f9; --text: #1b2026; --quiet: #56606b; --rule: #d5dbe1;
  --point: #2f6fbd; --line: #b0480f; --area: #f3d9c8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181c; --panel: #1d2329; --text: #e7ebef; --quiet: #a3adb8; --rule: #39424c;
    --point: #6fb0ff; --line: #ff9d5c; --area: #4b3323;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .25rem 0; }
.quiet, figcaption, caption { color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; }
.facts div { flex: 1 0 9rem; background: var(--panel); border: 1px solid var(--rule); border-radius: .5rem; padding: .6rem .8rem; }
.facts dt { color: var(--quiet); font-size: .875rem; }
.facts dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 1.25rem 2rem;
  align-items: start; }
.wide + .side, .side + .side { margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; margin: 0 0 .5rem; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--rule); text-align: right; }
th:first-child { text-align: left; padding-left: 0; }
tbody th { font-weight: normal; }
td { white-space: nowrap; }
thead th { color: var(--quiet); font-size: .875rem; font-weight: 600; }
.wide { overflow-x: auto; }
figure { margin: 0; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font-size: 13px; }
svg .label { fill: var(--text); }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { fill: none; stroke: var(--quiet); stroke-width: 1; }
.point { fill: var(--point); fill-opacity: .75; }
.mark { fill: var(--line); }
.line { fill: none; stroke: var(--line); stroke-width: 1.8; stroke-linejoin: round; }
.area { fill: var(--area); }
.bar { fill: var(--point); }
.point:hover, .mark:hover { stroke: var(--text); stroke-width: 2; fill-opacity: 1; }
.bar:hover { stroke: var(--text); stroke-width: 1.5; }
footer { margin-top: 2.5rem; }
@media (max-width: 30rem) {
  main { padding: 1rem .75rem 2rem; }
  .facts { gap: .5rem; }
  .facts dd { font-size: 1.05rem; }
  th, td { padding: .25rem .3rem; }
  table { font-size: .9rem; }
  svg text { font-size: 16px; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --panel: #fff; --text: #000; --quiet: #333; --rule: #bbb;
    --point: #2f6fbd; --line: #b0480f; --area: #f3d9c8; }
  body { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  .side { grid-template-columns: 1fr 1fr; gap: 1rem 1.5rem; }
  .facts { gap: .5rem; }
  .facts div { flex-basis: 6rem; padding: .4rem .5rem; }
  figure, table, .facts { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
)";

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

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      escaped(title), page_style, body);
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
