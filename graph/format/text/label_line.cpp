// SPDX-License-Identifier: MIT
// A hand-written parser, column by column. It makes an error message only after it has found an error.
#include "graph/format/text/label_line.hpp"

#include <cstdint>
#include <cstring>

#include "graph/format/numbers/weight_text.hpp"
#include "graph/format/text/quoted_text.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::string_view unclosed =
    "found a quote without its end in the same line: labels cannot hold line breaks, because a map has one "
    "label per line";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

struct Parser {
  char* at;
  char* const end;
  const LabelColumns& columns;
  bool unclosed = false;       ///< a quote is not closed in this line
  bool behind_quotes = false;  ///< there is text after the closing quote

  bool at_break() const { return at == end || is_line_break(*at); }
  void skip_blanks() {
    while (at != end && is_blank(*at) && *at != columns.separator) ++at;
  }
  bool ends_column(char c) const {
    return is_line_break(c) || (columns.separator == 0 ? is_blank(c) : c == columns.separator);
  }
  /// Returns the column at `at`, and moves `at` to its end.
  std::string_view column() {
    if (at != end && *at == '"' && columns.quotes()) return quoted();
    char* const start = at;
    while (at != end && !ends_column(*at)) ++at;
    char* stop = at;
    while (stop != start && is_blank(stop[-1])) --stop;
    return {start, static_cast<std::size_t>(stop - start)};
  }
  /// Skips a separator; false if there is none.
  bool skip_separator() {
    skip_blanks();
    if (columns.separator == 0) return !at_break();
    if (at == end || *at != columns.separator) {
      behind_quotes = behind_quotes || !at_break();
      return false;
    }
    ++at;
    skip_blanks();
    return true;
  }
  /// Moves to the end of the line, or to the first error. An unused quoted column must end in the line, too,
  /// because the text after it would be read as edges. Text after `limit` is not checked, whether the line is
  /// cut or not. False: a quoted column reaches `limit`, which is an error.
  bool skip_line(const char* limit) {
    while (columns.quotes() && at < limit && skip_separator() && !unclosed) {
      const bool in_quotes = at != end && *at == '"';
      column();
      if (in_quotes && at >= limit) return false;
    }
    if (at >= limit) behind_quotes = false;
    if (!behind_quotes && !unclosed) {
      while (!at_break()) ++at;
    }
    return true;
  }
  void skip_break() {
    if (at == end) return;
    const char c = *at++;
    if (c == '\r' && at != end && *at == '\n') ++at;
  }

 private:
  std::string_view quoted() {
    char* const start = ++at;
    char* to = start;
    while (true) {
      char* const from = at;
      while (!at_break() && *at != '"') ++at;
      const auto bytes = static_cast<std::size_t>(at - from);
      if (to != from) std::memmove(to, from, bytes);
      to += bytes;
      if (at_break()) {
        unclosed = true;
        break;
      }
      ++at;
      if (at == end || *at != '"') break;
      *to++ = *at++;
    }
    return {start, static_cast<std::size_t>(to - start)};
  }
};

std::string too_few(unsigned found, unsigned expected) {
  return "found " + std::to_string(found) + (found == 1 ? " column" : " columns") + ", expected at least " +
         std::to_string(expected);
}

/// Takes the text of a used column. Returns "" or the error.
std::string take_column(std::string_view text, unsigned column, const LabelColumns& columns,
                        LabelLine& line) {
  if (is_missing(columns.missing_values, text)) {
    line.missing = true;
    return "";
  }
  if (columns.weight != WeightType::none && column == columns.weight_column) {
    const char* const end = text.data() + text.size();
    if (parse_weight(text.data(), end, columns.weight, line.weight.data()) == end && !text.empty()) return "";
    return "found " + quoted_text(text) + " as the weight, expected " + expected_weight(columns.weight);
  }
  if (text.empty()) return "found nothing in column " + std::to_string(column) + ", expected a label";
  line.labels[column == columns.labels[0] ? 0 : 1] = text;
  return "";
}

std::string parse_columns(Parser& parser, bool cut, LabelLine& line) {
  const LabelColumns& columns = parser.columns;
  const char* const start = parser.at;
  const unsigned last = columns.last();
  for (unsigned column = 1; column <= last; ++column) {
    const std::string_view text = parser.column();
    const bool wanted = column == columns.labels[0] || column == columns.labels[1] ||
                        (columns.weight != WeightType::none && column == columns.weight_column);
    const auto bytes = static_cast<std::size_t>(parser.at - start);
    // An unused column before a used one.
    if (bytes >= max_label_line_bytes || (cut && parser.at == parser.end)) {
      return "column " + std::to_string(column) +
             " does not end within 64 KiB, expected labels that are shorter";
    }
    if (parser.unclosed) return std::string(unclosed);
    if (wanted) {
      std::string wrong = take_column(text, column, columns, line);
      if (!wrong.empty()) return wrong;
    }
    if (column < last && !parser.skip_separator() && !parser.behind_quotes) return too_few(column, last);
    if (parser.behind_quotes) break;
  }
  if (!parser.behind_quotes && !parser.skip_line(start + max_label_line_bytes)) {
    return "a quoted column does not end within the first 64 KiB of the line, expected shorter ones";
  }
  if (parser.unclosed) return std::string(unclosed);
  if (!parser.behind_quotes) return "";
  const char* const rest = std::find_if(parser.at, parser.end, is_line_break);
  return "found " + quoted_text({parser.at, static_cast<std::size_t>(rest - parser.at)}) +
         " behind a closing quote, expected a separator or the end of the line";
}

}  // namespace

LineKind parse_label_line(char*& at, char* end, bool cut, const LabelColumns& columns, LabelLine& line) {
  Parser parser{.at = at, .end = end, .columns = columns};
  parser.skip_blanks();
  LineKind kind = LineKind::nothing;
  if (parser.at_break() || *parser.at == '#' || *parser.at == '%') {
    while (!parser.at_break()) ++parser.at;
  } else {
    line.missing = false;
    line.wrong = parse_columns(parser, cut, line);
    if (!line.wrong.empty()) return LineKind::wrong;
    kind = line.missing ? LineKind::missing : LineKind::edge;
  }
  parser.skip_break();
  at = parser.at;
  return kind;
}

}  // namespace emgraph::graph::format
