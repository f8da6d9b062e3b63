// SPDX-License-Identifier: MIT
// A table of an HTML page: a caption, headers of columns and rows, right-aligned numbers.
#pragma once

#include <string>
#include <vector>

namespace emgraph::apps {

/// Takes plain text and escapes it.
class HtmlTable {
 public:
  /// `columns`: headers of the columns; may be empty if the row headers suffice.
  explicit HtmlTable(const std::string& caption, const std::vector<std::string>& columns = {});
  void row(const std::string& head, const std::vector<std::string>& cells);
  std::string text() const { return text_ + "</tbody>\n</table>\n"; }

 private:
  std::string text_;
};

}  // namespace emgraph::apps
