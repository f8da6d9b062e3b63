// SPDX-License-Identifier: MIT
// A hand-written parser, column by column. It makes an error message only after it has found an error.
#include "graph/format/text/text_line.hpp"

#include <algorithm>
#include <limits>

#include "graph/format/numbers/digits.hpp"
#include "graph/format/numbers/weight_text.hpp"
#include "graph/format/text/quoted_text.hpp"

namespace emgraph::graph::format {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

struct Parser {
  const char* at;
  const char* end;
  char separator;
  char mark = 0;  ///< the last separator that was skipped: a comma, a semicolon, a blank for blanks

  bool at_break() const { return at == end || is_line_break(*at); }
  bool at_column_end() const { return at_break() || separates(*at, separator) || *at == ' ' || *at == '\t'; }
  void skip_blanks() {
    while (at != end && (*at == ' ' || *at == '\t') && *at != separator) ++at;
  }
  /// Skips a separator; false if there is none. A separator at the end of the line counts, too.
  bool skip_separator() {
    const char* start = at;
    skip_blanks();
    mark = ' ';
    if (at == end) return at != start;
    const bool blanks = separator == 0 || separator == blanks_separator;
    if (blanks && (separator != 0 || (*at != ',' && *at != ';'))) return at != start;
    if (!blanks && *at != separator) return false;
    mark = *at;
    ++at;
    skip_blanks();
    return true;
  }
  /// Skips an unused column. Separators within quotes belong to it.
  void skip_column() {
    if (at != end && *at == '"') {
      do {
        ++at;
        while (!at_break() && *at != '"') ++at;
        if (at_break()) return;
        ++at;
      } while (at != end && *at == '"');  // two quotes are one quote of the column
    }
    while (!at_break() && !separates(*at, separator)) ++at;
  }
  void skip_line() {
    while (!at_break()) ++at;
  }
  void skip_break() {
    if (at == end) return;
    const char c = *at++;
    if (c == '\r' && at != end && *at == '\n') ++at;
  }
  bool skip_quote() {
    if (at == end || *at != '"') return false;
    ++at;
    return true;
  }
  /// Reads a number; false: there is no digit, or the number exceeds 2^64 - 1.
  bool number(std::uint64_t& value) { return read_long_decimal(at, end, value); }
};

/// The column at `at`, shortened and quoted for a message.
std::string show(Parser parser) {
  const char* const start = parser.at;
  while (!parser.at_column_end()) ++parser.at;
  if (parser.at == start) {
    return parser.at_break() ? "the end of the line" : std::string("'") + *parser.at + "'";
  }
  return quoted_text({start, parser.at});
}

std::string name_of_id(std::size_t i) {
  return i == 0 ? "first id" : "second id";
}

/// The column at `parser` without quotes.
std::string_view column_text(Parser parser) {
  const bool quoted = parser.skip_quote();
  const char* const start = parser.at;
  while (!parser.at_break() && (quoted ? *parser.at != '"' : !separates(*parser.at, parser.separator))) {
    ++parser.at;
  }
  const char* stop = parser.at;
  while (stop != start && (stop[-1] == ' ' || stop[-1] == '\t')) --stop;
  return {start, static_cast<std::size_t>(stop - start)};
}

/// What may help with a column that is no id. `separator`: of the columns, as it was given.
std::string advice(std::string_view column, char separator) {
  constexpr std::string_view missing[] = {"NULL", "null", "\\N", "NA", "N/A", "NaN", "nan", "None", "nil"};
  if (std::ranges::find(missing, column) != std::end(missing)) {
    return "; --na '" + std::string(column) + "' leaves such lines out";
  }
  const std::size_t other = column.find_first_not_of("0123456789");
  const char c = other == std::string_view::npos ? '\0' : column[other];
  if (other > 0 && (c == '|' || c == ':' || c == ';' || (separator != 0 && c == ','))) {
    return std::string("; --separator '") + c + "' takes it as what separates columns";
  }
  if (other > 0 && separator != 0 && (c == ' ' || c == '\t')) {
    return "; without --separator blanks separate columns";
  }
  const bool printable = quoted_text(column).front() == '\'';
  return printable && (is_letter(column[0]) || is_digit(column[0])) ? "; --labels takes names" : "";
}

std::string wrong_id(const Parser& column, std::size_t i) {
  const std::string_view text = column_text(column);
  if (text.empty() && !column.at_break()) {
    return "found an empty column as the " + name_of_id(i) +
           ", expected an id (decimal digits); --on-error skip leaves such lines out";
  }
  std::string expected =
      ", expected an id (decimal digits)" + (text.empty() ? "" : advice(text, column.separator));
  if (text.starts_with('-')) expected = ", expected an id of 0 or more";
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
    expected = ", expected an id below 2^64";
  }
  return "found " + show(column) + " as the " + name_of_id(i) + expected;
}

/// The error of the id at `column`, which has the value `number`; "" if it is valid.
std::string wrong_range(const Parser& column, std::uint64_t number, const TextFormat& format, std::size_t i,
                        bool& too_wide) {
  const TextId& id = format.ids[i];
  if (number >= id.base && number - id.base <= id.most) return "";
  const std::string found = "found " + show(column) + " as the " + name_of_id(i) + ", expected ";
  if (number < id.base) return found + "an id of " + std::to_string(id.base) + " or more";
  if (!format.nodes_from.empty()) {
    return found + "an id of at most " + std::to_string(id.most + id.base) + ", as " +
           std::string(format.nodes_from);
  }
  too_wide = true;
  return found + "an id below 2^32; ids of 8 bytes would hold it";
}

bool skip_weight(Parser& parser, WeightType type, std::byte* out) {
  const char* const stop = parse_weight(parser.at, parser.end, type, out);
  if (stop == nullptr) return false;
  parser.at = stop;
  return true;
}

std::string wrong_weight(const Parser& column, WeightType type) {
  const bool comma = column_text(column).find(',') != std::string_view::npos;
  return "found " + show(column) + " as the weight, expected " + expected_weight(type) +
         (comma ? " with a decimal point" : "");
}

bool starts_with_words(Parser line, const TextFormat& format) {
  const Parser start = line;
  bool word = false;
  for (unsigned column = 1; column <= format.last_column() && !line.at_break(); ++column) {
    if (column == format.ids[0].column || column == format.ids[1].column) {
      const char c = line.at[*line.at == '"' && line.at + 1 != line.end ? 1 : 0];
      word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '\'';
      if (!word) return false;
    }
    line.skip_column();
    line.skip_separator();
  }
  if (!word) return false;
  line.skip_line();
  // Binary data are not a header. Words in other alphabets are.
  return std::none_of(start.at, line.at,
                      [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; });
}

std::string too_few(unsigned found, const TextFormat& format) {
  if (found == 1 && format.last_column() == 2) return "found one column, expected two ids";
  return "found " + std::to_string(found) + (found == 1 ? " column" : " columns") + ", expected at least " +
         std::to_string(format.last_column());
}

/// Parses an id or the weight. Returns "" or the error.
std::string parse_column(Parser& parser, unsigned column, const TextFormat& format, TextLine& line) {
  const Parser start = parser;
  const bool quoted = parser.skip_quote();
  std::string wrong;
  if (column == format.weight_column && format.weight != WeightType::none) {
    if (!skip_weight(parser, format.weight, line.weight) || (quoted && !parser.skip_quote()) ||
        !parser.at_column_end()) {
      return wrong_weight(start, format.weight);
    }
    return "";
  }
  const std::size_t i = column == format.ids[0].column ? 0 : 1;
  std::uint64_t number = 0;
  if (!parser.number(number) || (quoted && !parser.skip_quote()) || !parser.at_column_end()) {
    return wrong_id(start, i);
  }
  line.ids[i] = number - format.ids[i].base + format.ids[i].offset;
  return wrong_range(start, number, format, i, line.too_wide);
}

void put_weight_of_one(WeightType type, std::byte* out) {
  const char one[] = "1";
  parse_weight(one, one + 1, type, out);
}

/// True if an id or the weight of the line is a missing value.
bool has_missing_value(Parser parser, const TextFormat& format) {
  const unsigned last = format.last_column();
  for (unsigned column = 1; column <= last; ++column) {
    const bool used = column == format.ids[0].column || column == format.ids[1].column ||
                      (format.weight != WeightType::none && column == format.weight_column);
    if (used && is_missing(format.missing_values, column_text(parser))) return true;
    parser.skip_column();
    parser.skip_separator();
  }
  return false;
}

std::string name_of_mark(char mark) {
  return mark == ',' ? "a comma" : mark == ';' ? "a semicolon" : "blanks";
}

/// True if the number at `parser` follows another separator than the columns before: "1,000 2" may be 1000
/// and 2, and "1;2,5" may be 1 and 2.5.
bool separated_otherwise(const Parser& parser, char mark) {
  if (parser.separator != 0 || parser.mark == mark || parser.at_break()) return false;
  const bool sign = *parser.at == '-' || *parser.at == '+' || *parser.at == '"';
  return is_digit(*parser.at) || (sign && parser.at + 1 != parser.end && is_digit(parser.at[1]));
}

LineKind parse_columns(Parser& parser, const TextFormat& format, TextLine& line) {
  const unsigned last = format.last_column();
  char mark = 0;
  const bool weighted = format.weight != WeightType::none;
  for (unsigned column = 1; column <= last; ++column) {
    const bool is_weight = weighted && column == format.weight_column;
    if (parser.at_break()) {
      if (is_weight && format.weight_optional) {
        put_weight_of_one(format.weight, line.weight);
        break;
      }
      line.wrong = is_weight ? wrong_weight(parser, format.weight) : too_few(column - 1, format);
      return LineKind::wrong;
    }
    if (is_weight || column == format.ids[0].column || column == format.ids[1].column) {
      line.wrong = parse_column(parser, column, format, line);
      if (!line.wrong.empty()) return LineKind::wrong;
    } else {
      parser.skip_column();
    }
    if (!parser.skip_separator() && !parser.at_break()) {
      line.wrong = "found " + show(parser) + " after column " + std::to_string(column) +
                   ", expected a separator or the end of the line";
      return LineKind::wrong;
    }
    if (column == 1) mark = parser.mark;
    if (separated_otherwise(parser, mark)) {
      line.wrong = "found " + name_of_mark(mark) + " behind column 1 and " + name_of_mark(parser.mark) +
                   " behind column " + std::to_string(column) +
                   ", expected one separator; --separator says which (blanks, tab or a character)";
      return LineKind::wrong;
    }
  }
  return LineKind::edge;
}

}  // namespace

unsigned TextFormat::last_column() const {
  return std::max({ids[0].column, ids[1].column, weight == WeightType::none ? 0 : weight_column});
}

bool is_missing(const std::vector<std::string>& values, std::string_view text) {
  return std::find(values.begin(), values.end(), text) != values.end();
}

bool is_words(std::string_view line, const TextFormat& format) {
  Parser parser{line.data(), line.data() + line.size(), format.separator};
  parser.skip_blanks();
  return !has_missing_value(parser, format) && starts_with_words(parser, format);
}

void skip_text_line(const char*& at, const char* end) {
  Parser parser{at, end, 0};
  parser.skip_line();
  parser.skip_break();
  at = parser.at;
}

LineKind parse_line(const char*& at, const char* end, const TextFormat& format, bool& header_allowed,
                    TextLine& line) {
  Parser parser{at, end, format.separator};
  parser.skip_blanks();
  LineKind kind = LineKind::nothing;
  if (!parser.at_break() && *parser.at != '#' && *parser.at != '%') {
    const bool missing = !format.missing_values.empty() && has_missing_value(parser, format);
    const bool header = !missing && header_allowed && starts_with_words(parser, format);
    header_allowed = header_allowed && missing;
    if (missing) kind = LineKind::missing;
    if (!missing && !header) kind = parse_columns(parser, format, line);
    if (kind == LineKind::wrong) return kind;
  }
  parser.skip_line();
  parser.skip_break();
  at = parser.at;
  return kind;
}

}  // namespace emgraph::graph::format
