// SPDX-License-Identifier: MIT
// Splits the first lines in each possible way and compares the numbers of columns.
#include "graph/format/text/column_separator.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "core/base/error.hpp"
#include "graph/format/text/line_chunks.hpp"
#include "graph/format/text/text_options.hpp"

namespace emgraph::graph::format {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t';
}

/// The end of the column at the start of `text`; quotes hide separators.
template <class Ends>
std::size_t column_end(std::string_view text, bool quotes, Ends&& ends) {
  std::size_t at = 0;
  while (quotes && at < text.size() && text[at] == '"') {
    const std::size_t closing = text.find('"', at + 1);
    if (closing == std::string_view::npos) break;
    at = closing + 1;
  }
  while (at < text.size() && !ends(text[at])) ++at;
  return at;
}

/// Columns between runs of blanks. Commas and semicolons separate, too, one at a time, if `marks`.
std::vector<std::string_view> split_at_blanks(std::string_view text, bool marks) {
  std::vector<std::string_view> columns;
  const auto mark = [&](char c) { return marks && (c == ',' || c == ';'); };
  text = without_outer_blanks(text);
  while (!text.empty()) {
    const std::size_t end = column_end(text, marks, [&](char c) { return blank(c) || mark(c); });
    columns.push_back(text.substr(0, end));
    text.remove_prefix(end);
    text = without_outer_blanks(text);
    if (!text.empty() && mark(text[0])) text = without_outer_blanks(text.substr(1));
  }
  return columns;
}

/// The number of columns that all lines have when they are split so; nullopt if it differs.
std::optional<std::size_t> width(const std::vector<NumberedLine>& lines, char separator, ColumnKind kind) {
  std::optional<std::size_t> width;
  for (const NumberedLine& line : lines) {
    const std::size_t columns = split_columns(line.text, separator, kind).size();
    if (width.value_or(columns) != columns) return std::nullopt;
    width = columns;
  }
  return width;
}

[[noreturn]] void refuse(const std::string& name, const NumberedLine& line, const std::string& either,
                         const std::string& options) {
  throw core::DataError::at_line(
      name, line.number, "columns may be separated by " + either + ": say which by --separator " + options);
}

/// True if the first columns, of which all are used, are numbers when any of blanks, one comma or one
/// semicolon separates them: no other reading makes edges of such a line.
bool numbers_first(const NumberedLine& line, const std::vector<unsigned>& used) {
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] != i + 1) return false;
  }
  const auto columns = split_at_blanks(line.text, true);
  return columns.size() >= used.size() &&
         std::all_of(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(used.size()),
                     looks_numeric);
}

char id_separator(const std::string& name, const NumberedLine& line, const std::vector<unsigned>& used) {
  const unsigned last = *std::max_element(used.begin(), used.end());
  const bool weighted = used.size() > 2;
  if (line.text.find('\t') != std::string_view::npos) {
    const auto columns = split_columns(line.text, '\t', ColumnKind::ids);
    if (columns.size() < last) return 0;
    const auto in_used = [&](auto&& holds) {
      return std::any_of(used.begin(), used.end(),
                         [&](unsigned column) { return holds(columns[column - 1]); });
    };
    if (in_used([](std::string_view text) {
          return looks_numeric(text) && split_at_blanks(text, true).size() > 1;
        })) {
      refuse(name, line, "tabs or by blanks", "tab or --separator blanks");
    }
    // "1 ,<tab>2": a mark beside the tab.
    return in_used([](std::string_view text) { return text.ends_with(',') || text.ends_with(';'); }) ? 0
                                                                                                     : '\t';
  }
  // A comma may be the decimal point of a weight.
  if (!weighted && numbers_first(line, used)) return 0;
  const auto fields = [&](char separator) {
    return split_columns(line.text, separator, ColumnKind::ids).size();
  };
  const std::size_t by_commas = fields(',');
  const std::size_t by_semicolons = fields(';');
  if (by_commas >= 2 && by_semicolons >= 2) {
    // Which of them ends a used column?
    const auto columns = split_at_blanks(line.text, true);
    std::string marks;
    for (std::size_t i = 0; i < std::min<std::size_t>(last, columns.size()); ++i) {
      const char* end = columns[i].data() + columns[i].size();
      const char* const stop = line.text.data() + line.text.size();
      while (end != stop && blank(*end)) ++end;
      if (end != stop && (*end == ',' || *end == ';') && marks.find(*end) == std::string::npos) marks += *end;
    }
    if (marks.size() == 2) refuse(name, line, "commas or by semicolons", ", or --separator ';'");
  }
  return 0;
}

/// A column is in quotes if it begins with one, behind a comma or semicolon or at the start of the line.
bool has_tab_outside_quotes(std::string_view line) {
  bool quoted = false;
  bool at_start = true;
  for (const char c : line) {
    if (c == '"' && (quoted || at_start)) {
      quoted = !quoted;
    } else if (c == '\t' && !quoted) {
      return true;
    }
    at_start = !quoted && (c == ',' || c == ';');
  }
  return false;
}

char label_separator(const std::string& name, const std::vector<NumberedLine>& lines,
                     const std::vector<unsigned>& used) {
  const NumberedLine& first = lines.front();
  const unsigned last = *std::max_element(used.begin(), used.end());
  constexpr ColumnKind kind = ColumnKind::labels;
  if (has_tab_outside_quotes(first.text)) return '\t';
  const std::size_t by_commas = split_columns(first.text, ',', kind).size();
  const std::size_t by_semicolons = split_columns(first.text, ';', kind).size();
  if (by_semicolons >= last && by_commas >= 2) {
    refuse(name, first, "commas or by semicolons", ", or --separator ';'");
  }
  const std::size_t by_blanks = split_columns(first.text, 0, kind).size();
  if (by_commas >= 2) {
    const auto commas = width(lines, ',', kind);
    const bool blanks_fit = width(lines, 0, kind) == last;
    if (by_blanks >= 2 && blanks_fit && commas != last) {
      refuse(name, first, "commas or by blanks", ", or --separator blanks");
    }
    return ',';
  }
  if (by_semicolons >= last && by_blanks >= last) {
    refuse(name, first, "semicolons or by blanks", "';' or --separator blanks");
  }
  for (const NumberedLine& line : lines) {
    if (line.text.find('\t') == std::string_view::npos) continue;
    if (split_columns(line.text, '\t', kind).size() != split_columns(line.text, 0, kind).size()) {
      refuse(name, line, "tabs or by blanks, and the first line has no tab", "tab or --separator blanks");
    }
  }
  return 0;
}

}  // namespace

std::string_view without_outer_blanks(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool looks_numeric(std::string_view column) {
  if (!column.empty() && (column[0] == '"' || column[0] == '-' || column[0] == '+')) column.remove_prefix(1);
  return !column.empty() && column[0] >= '0' && column[0] <= '9';
}

std::vector<std::string_view> split_columns(std::string_view text, char separator, ColumnKind kind) {
  if (separator == 0) return split_at_blanks(text, kind == ColumnKind::ids);
  if (separator == blanks_separator) return split_at_blanks(text, false);
  std::vector<std::string_view> columns;
  const bool quotes = separator != '\t' && separator != ' ';
  while (true) {
    while (quotes && !text.empty() && blank(text[0])) text.remove_prefix(1);
    const std::size_t end = column_end(text, quotes, [&](char c) { return c == separator; });
    columns.push_back(without_outer_blanks(text.substr(0, end)));
    if (end == text.size()) return columns;
    text.remove_prefix(end + 1);
  }
}

/// The separator that a first line "sep=;" names, as spreadsheets write and read it; 0 if there is none.
char declared_separator(std::string_view text) {
  text = without_byte_order_mark(text);
  text = text.substr(
      0, static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_line_break) - text.begin()));
  if (text.size() > 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.size() != 5 || !(text.starts_with("sep=") || text.starts_with("SEP="))) return 0;
  return text[4] == ' ' ? '\0' : text[4];
}

char separator_of(const std::string& name, const std::vector<NumberedLine>& lines,
                  const std::vector<unsigned>& used, ColumnKind kind) {
  return kind == ColumnKind::ids ? id_separator(name, lines.front(), used)
                                 : label_separator(name, lines, used);
}

}  // namespace emgraph::graph::format
