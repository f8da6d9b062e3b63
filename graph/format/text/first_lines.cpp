// SPDX-License-Identifier: MIT
// Takes the header from the first lines, and describes what follows.
#include "graph/format/text/first_lines.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/base/error.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {
namespace {

/// Lines that are compared.
constexpr std::size_t most_lines = 200;

/// The lines with columns: without blank lines, comments and a last line that 64 KiB may cut, unless it is
/// the first one.
std::vector<NumberedLine> lines_of(LineChunks& chunks) {
  std::string_view text = chunks.data_lines();
  std::vector<NumberedLine> lines;
  for (std::uint64_t number = chunks.lines_before() + 1; !text.empty() && lines.size() < most_lines;
       ++number) {
    const std::size_t end =
        static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_line_break) - text.begin());
    if (end == text.size() && !chunks.holds_rest() && !lines.empty()) break;
    const std::string_view line = without_outer_blanks(text.substr(0, end));
    const bool comment = !line.empty() && (line[0] == '#' || line[0] == '%');
    if (!line.empty() && !comment) lines.push_back({number, text.substr(0, end)});
    const bool two = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(text.size(), end + (two ? 2 : 1)));
  }
  return lines;
}

std::string unquoted(std::string_view column) {
  if (column.size() < 2 || column.front() != '"' || column.back() != '"') return std::string(column);
  std::string text;
  for (std::size_t i = 1; i + 1 < column.size(); ++i) {
    text += column[i];
    if (column[i] == '"' && column[i + 1] == '"') ++i;
  }
  return text;
}

unsigned named_column(const FirstLines& lines, const std::string& name, const std::string& input) {
  const auto found = std::find(lines.header.begin(), lines.header.end(), name);
  if (found != lines.header.end()) {
    const auto number = static_cast<unsigned>(found - lines.header.begin()) + 1;
    const auto again = std::find(found + 1, lines.header.end(), name);
    if (again == lines.header.end()) return number;
    throw core::UsageError("--cols: the header of " + input + " has '" + name + "' as column " +
                           std::to_string(number) + " and as column " +
                           std::to_string(again - lines.header.begin() + 1) + ": give numbers of columns");
  }
  std::string names;
  for (const std::string& column : lines.header) names.append(names.empty() ? "" : ", ").append(column);
  throw core::UsageError("--cols: the header of " + input + " has no column '" + name + "' (" + names + ")");
}

bool starts_with_letter(const std::string& column) {
  return !column.empty() && std::isalpha(static_cast<unsigned char>(column[0])) != 0;
}

std::string ignored_columns(const FirstLines& lines, ColumnKind kind, bool weighted) {
  std::size_t columns = lines.row.size();
  while (columns > 0 && lines.row[columns - 1].empty()) --columns;
  if (columns <= (weighted ? 3U : 2U)) return "";
  // The reader refuses such a line.
  if (kind == ColumnKind::ids && (!looks_numeric(lines.row[0]) || !looks_numeric(lines.row[1]))) return "";
  std::string text = "lines have " + std::to_string(columns) + " columns; taken are 1 as source, 2 as target";
  if (weighted) return text + ", 3 as weight (--cols A,B,W takes others)";
  if (looks_numeric(lines.row[2])) return text + " (--cols 1,2,3 takes column 3 as weights)";
  return text + " (--cols A,B[,W] takes others)";
}

std::vector<unsigned> used_columns(const TextColumns& columns, bool weighted) {
  std::vector<unsigned> used = {columns.source, columns.target};
  if (weighted) used.push_back(columns.weight.value_or(3));
  return used;
}

/// The used columns of a line, each in quotes.
std::string shown_line(const NumberedLine& line, const std::vector<std::string_view>& columns,
                       const std::vector<unsigned>& used) {
  std::string text = "line " + std::to_string(line.number) + ":";
  for (const unsigned number : used) {
    text += number == used.front() ? " " : ", ";
    text += number <= columns.size() ? "'" + unquoted(columns[number - 1]).substr(0, 40) + "'" : "nothing";
  }
  return text;
}

void resolve_names(FirstLines& lines, const TextColumnNames& names, const std::string& input) {
  TextColumns& columns = lines.columns;
  if (!names.source.empty()) columns.source = named_column(lines, names.source, input);
  if (!names.target.empty()) columns.target = named_column(lines, names.target, input);
  if (!names.weight.empty()) columns.weight = named_column(lines, names.weight, input);
}

void take_header(FirstLines& result, std::string_view line, ColumnKind kind) {
  for (const std::string_view column : split_columns(line, result.separator, kind)) {
    result.header.push_back(unquoted(column));
  }
}

/// True if no column is a number: the parser of ids refuses the line or leaves it out.
bool without_numbers(const NumberedLine& line) {
  const char separator = line.text.find('\t') != std::string_view::npos ? '\t' : '\0';
  return std::ranges::none_of(split_columns(line.text, separator, ColumnKind::ids), looks_numeric);
}

struct HeaderLine {
  std::uint64_t number;
  std::string text;
};

/// The line with the names of the columns, which is taken from `text` and `lines`: the first one with
/// --header, or words before numbers.
std::optional<HeaderLine> take_header_line(const std::string& name, LineChunks& text,
                                           std::vector<NumberedLine>& lines, const TextOptions& options,
                                           ColumnKind kind, const TextColumns& columns) {
  if (lines.empty() && options.header) {
    throw core::DataError::in_file(name, "has no line, expected a header");
  }
  // The parser refuses words that are no header, and skips a header that nothing follows.
  const auto words = [&](const NumberedLine& line) {
    TextFormat format = {.separator = options.separator, .missing_values = options.missing_values};
    if (options.separator == 0 && line.text.find('\t') != std::string_view::npos) format.separator = '\t';
    format.ids[0].column = columns.source;
    format.ids[1].column = columns.target;
    return is_words(line.text, format);
  };
  const bool followed = lines.size() > 1 || !text.holds_rest();
  if (lines.empty() || !(options.header || (kind == ColumnKind::ids && followed && words(lines.front())))) {
    return std::nullopt;
  }
  HeaderLine header = {lines.front().number, std::string(lines.front().text)};
  text.take_data_line();
  lines = lines_of(text);
  return header;
}

/// With --header a number in place of a name is an edge that would be lost.
void refuse_number_as_name(const std::string& name, const FirstLines& lines, std::uint64_t line) {
  const unsigned source = lines.columns.source;
  const std::string column = lines.header.size() < source ? "" : lines.header[source - 1];
  if (!looks_numeric(column)) return;
  throw core::DataError::at_line(
      name, line, "found '" + column + "', expected the name of a column, because of --header");
}

/// The first line with data, and how the first ones are understood.
void describe_rows(FirstLines& result, const std::vector<NumberedLine>& lines, const TextOptions& options,
                   ColumnKind kind, bool weighted) {
  result.row_line = lines.front().number;
  for (const std::string_view column : split_columns(lines.front().text, result.separator, kind)) {
    result.row.push_back(unquoted(column));
  }
  const std::vector<unsigned> used = used_columns(result.columns, weighted);
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), options.shown_lines); ++i) {
    result.shown.push_back(shown_line(lines[i], split_columns(lines[i].text, result.separator, kind), used));
  }
  result.first = shown_line(lines.front(), split_columns(lines.front().text, result.separator, kind), used);
  if (!options.columns) result.ignored = ignored_columns(result, kind, weighted);
}

}  // namespace

FirstLines read_first_lines(const std::string& name, LineChunks& text, const TextOptions& options,
                            ColumnKind kind, bool weighted) {
  FirstLines result{.columns = options.columns.value_or(TextColumns())};
  // Labels that any blanks separate have no other separator anyway.
  if (kind == ColumnKind::ids || options.separator != blanks_separator) result.separator = options.separator;
  std::vector<NumberedLine> lines = lines_of(text);
  const bool at_start = !lines.empty() && lines.front().number == 1;
  const char declared = at_start ? declared_separator(lines.front().text) : '\0';
  if (declared != 0) {
    if (options.separator == 0) result.separator = declared;
    text.take_data_line();
    lines = lines_of(text);
  }
  const std::optional<HeaderLine> header = take_header_line(name, text, lines, options, kind, result.columns);
  const bool single = lines.size() == 1 && text.holds_rest();
  if (kind == ColumnKind::ids && !header && lines.size() > 1 && without_numbers(lines.front())) {
    lines.erase(lines.begin());
  }
  const std::vector<NumberedLine> judged =
      lines.empty() && header ? std::vector<NumberedLine>{{header->number, header->text}} : lines;
  if (options.separator == 0 && declared == 0 && !judged.empty()) {
    // Names may need any column: the first two stand for them.
    result.separator = separator_of(name, judged, used_columns(result.columns, weighted), kind);
  }
  if (header) take_header(result, header->text, kind);
  resolve_names(result, options.names, name);
  if (options.header && kind == ColumnKind::ids) refuse_number_as_name(name, result, header->number);
  if (lines.empty()) return result;
  describe_rows(result, lines, options, kind, weighted);
  const bool alone = kind == ColumnKind::ids && single && !header;
  if (alone && std::ranges::all_of(result.row, starts_with_letter)) {
    result.ignored = "line " + std::to_string(result.row_line) +
                     " is taken as the names of columns, and no edge follows; --labels takes names as nodes";
  }
  return result;
}

Metadata described(const FirstLines& lines, bool weighted) {
  Metadata facts;
  if (lines.row_line == 0) {
    facts.emplace_back("first_edge", "none: only comments, blank lines and words");
    return facts;
  }
  const char separator = lines.separator;
  facts.emplace_back("separator", separator == '\t'               ? "tab"
                                  : separator == blanks_separator ? "blanks"
                                  : separator != 0                ? std::string(1, separator)
                                                                  : "blanks, one comma or one semicolon");
  facts.emplace_back("columns_found", std::to_string(lines.row.size()));
  const auto column = [&](unsigned number) {
    const std::string name =
        number <= lines.header.size() ? " (" + lines.header[number - 1] + ")" : std::string();
    return std::to_string(number) + name;
  };
  facts.emplace_back("source_column", column(lines.columns.source));
  facts.emplace_back("target_column", column(lines.columns.target));
  if (weighted) facts.emplace_back("weight_column", column(lines.columns.weight.value_or(3)));
  bool numbers = true;
  for (const unsigned number : {lines.columns.source, lines.columns.target}) {
    numbers = numbers && number <= lines.row.size() && looks_numeric(lines.row[number - 1]);
  }
  if (!lines.header.empty()) {
    std::string names;
    for (const std::string& name : lines.header) names.append(names.empty() ? "" : ", ").append(name);
    facts.emplace_back("header", names);
  }
  facts.emplace_back("nodes_are", numbers ? "numbers" : "no numbers: labels (--labels), or no edges");
  facts.emplace_back("first_edge", lines.first);
  for (std::size_t i = 1; i < lines.shown.size(); ++i) {
    facts.emplace_back("edge_" + std::to_string(i + 1), lines.shown[i]);
  }
  return facts;
}

}  // namespace emgraph::graph::format
