// SPDX-License-Identifier: MIT
// An HTML page and its parts: escaped text and tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emgraph::apps {

/// For text and for attributes in double quotes. Escapes & < > " '. Control characters, which HTML cannot
/// hold, and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// A page in the style of all pages, which has the classes of SvgPlot. Escapes `title`; `body` is HTML.
std::string html_page(const std::string& title, const std::string& body);

/// A table with a caption and with heads of columns and rows. Takes plain text and escapes it.
class HtmlTable {
 public:
  /// Empty `columns`: no row of heads.
  explicit HtmlTable(const std::string& caption, const std::vector<std::string>& columns = {});
  void row(const std::string& head, const std::vector<std::string>& cells);
  std::string text() const { return text_ + "</tbody>\n</table>\n"; }

 private:
  std::string text_;
};

}  // namespace emgraph::apps
