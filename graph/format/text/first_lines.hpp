// SPDX-License-Identifier: MIT
// Determines from the first lines of a text edge list what separates its columns, and which columns are used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/format/table/metadata.hpp"
#include "graph/format/text/column_separator.hpp"
#include "graph/format/text/line_chunks.hpp"
#include "graph/format/text/text_options.hpp"

namespace emgraph::graph::format {

/// What the first lines tell. Lines count from 1.
struct FirstLines {
  char separator = 0;                    ///< as TextFormat and LabelColumns have it
  TextColumns columns = {};              ///< numbers of the used columns
  std::vector<std::string> header = {};  ///< names of the columns; empty: no header
  std::vector<std::string> row = {};     ///< columns of the first line with data; empty: there is none
  std::uint64_t row_line = 0;            ///< its number
  std::string first = {};                ///< its used columns: "line 2: 'a', 'b', '0.5'"
  /// As `first`, of the first lines with data, at most TextOptions::shown_lines of them.
  std::vector<std::string> shown = {};
  /// Columns that no option chooses and that are ignored, in a sentence; "" if there are none.
  std::string ignored = {};
};

/// One rule, whatever the name of the input: tabs separate columns if the first line with data has one; else
/// commas (for labels, if it has one); else blanks, and for ids at most one comma or semicolon. Throws
/// DataError if another reading is as likely, and UsageError if the header lacks a named column. Takes the
/// lines before the first one with data from `text`, the input called `name`: comments, blank lines, and the
/// names of the columns. `weighted`: the edges have weights.
FirstLines read_first_lines(const std::string& name, LineChunks& text, const TextOptions& options,
                            ColumnKind kind, bool weighted);

/// What the first lines tell, as text for the summary of the input.
Metadata described(const FirstLines& lines, bool weighted);

}  // namespace emgraph::graph::format
