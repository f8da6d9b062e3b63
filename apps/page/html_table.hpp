// SPDX-License-Identifier: MIT
// A table of an HTML page: a caption, heads of columns and rows, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace emgraph::apps {

/// Plain text in, escaped text out.
class HtmlTable {
 public:
  /// `columns`: heads; none where the heads of the rows say it all.
  explicit HtmlTable(const std::string& caption, const std::vector<std::string>& columns = {});
  void row(const std::string& head, const std::vector<std::string>& cells);
  std::string text() const { return text_ + "</tbody>\n</table>\n"; }

 private:
  std::string text_;
};

}  // namespace emgraph::apps
