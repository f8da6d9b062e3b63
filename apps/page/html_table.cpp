// SPDX-License-Identifier: MIT
// Rows of cells.
#include "apps/page/html_table.hpp"

#include <fmt/core.h>

#include "apps/page/html_text.hpp"

namespace emgraph::apps {

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
