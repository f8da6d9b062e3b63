// SPDX-License-Identifier: MIT
// A hand-written parser; errors are worded only once one is found.
#include "graph/format/text/text_parse.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t ten_digits_more = std::numeric_limits<std::uint64_t>::max() / 10;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_break(char c) {
  return c == '\n' || c == '\r';
}

struct Parser {
  const char* at;
  const char* end;

  bool at_break() const { return at == end || is_break(*at); }
  void skip_blanks() {
    while (at != end && is_blank(*at)) ++at;
  }
  /// False if there is none. A separator before the end of the line is one too.
  bool skip_separator() {
    const char* start = at;
    skip_blanks();
    if (at != end && *at == ',') {
      ++at;
      skip_blanks();
    }
    return at != start;
  }
  void skip_line() {
    while (!at_break()) ++at;
  }
  void skip_break() {
    if (at == end) return;
    const char c = *at++;
    if (c == '\r' && at != end && *at == '\n') ++at;
  }
  /// Digits to a number; false: no digit, or above 2^64 - 1.
  bool number(std::uint64_t& value) {
    if (at == end || !is_digit(*at)) return false;
    value = 0;
    do {
      const auto digit = static_cast<std::uint64_t>(*at - '0');
      if (value >= ten_digits_more && (value > ten_digits_more || digit > 5)) return false;
      value = value * 10 + digit;
      ++at;
    } while (at != end && is_digit(*at));
    return true;
  }
};

/// The column at `at`, fit for a message.
std::string show(const Parser& parser) {
  constexpr std::ptrdiff_t shown_bytes = 24;
  const char* stop = parser.at;
  while (stop != parser.end && !is_break(*stop) && !is_blank(*stop) && *stop != ',' &&
         stop - parser.at < shown_bytes) {
    ++stop;
  }
  if (stop == parser.at)
    return parser.at_break() ? "the end of the line" : std::string("'") + *parser.at + "'";
  std::string text(parser.at, stop);
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  return printable ? "'" + text + "'" : "binary data";
}

std::string wrong_id(const Parser& column, const char* which) {
  const char* expected = column.at != column.end && *column.at == '-' ? ", expected an id of 0 or more"
                                                                      : ", expected an id (decimal digits)";
  std::uint64_t ignored;
  Parser digits = column;
  if (column.at != column.end && is_digit(*column.at) && !digits.number(ignored))
    expected = ", expected an id below 2^64";
  return "found " + show(column) + " as the " + which + expected;
}

template <class T>
bool weight(Parser& parser, std::byte* out) {
  T value;
  const auto [stop, error] = std::from_chars(parser.at, parser.end, value);
  if (error != std::errc()) return false;
  parser.at = stop;
  std::memcpy(out, &value, sizeof(T));
  return true;
}

bool parse_weight(Parser& parser, WeightType type, std::byte* out) {
  switch (type) {
    case WeightType::none:
      return true;
    case WeightType::u32:
      return weight<std::uint32_t>(parser, out);
    case WeightType::i64:
      return weight<std::int64_t>(parser, out);
    case WeightType::f32:
      return weight<float>(parser, out);
    case WeightType::f64:
      return weight<double>(parser, out);
  }
  return false;
}

/// A line such as "id_1,id_2": printable, and it starts with a letter or a quote.
bool is_header(const Parser& parser) {
  const char c = *parser.at;
  if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '"' || c == '\'' || c == '_')) return false;
  Parser line = parser;
  line.skip_line();
  return std::all_of(parser.at, line.at, [](char d) { return d == '\t' || (d >= ' ' && d < 0x7f); });
}

template <class Out>
std::string parse(Parser parser, const TextFormat& format, const core::PairShape& shape, bool& header_allowed,
                  std::byte* out, TextCounts& counts, bool& too_wide) {
  const std::uint64_t max_id = format.id_bytes == 4 ? std::numeric_limits<std::uint32_t>::max()
                                                    : std::numeric_limits<std::uint64_t>::max();
  const std::size_t kept = weight_bytes(format.weight);
  const std::size_t room = shape.row_bytes - 2 * sizeof(Out);
  for (; parser.at != parser.end; parser.skip_break()) {
    ++counts.lines;
    parser.skip_blanks();
    if (parser.at_break()) continue;
    if (*parser.at == '#' || *parser.at == '%') {
      parser.skip_line();
      continue;
    }
    if (header_allowed && is_header(parser)) {
      parser.skip_line();
      header_allowed = false;
      continue;
    }
    header_allowed = false;
    std::uint64_t ids[2];
    for (int i = 0; i < 2; ++i) {
      const Parser column = parser;
      const char* which = i == 0 ? "first id" : "second id";
      if (!parser.number(ids[i])) return wrong_id(column, which);
      if (ids[i] > max_id) {
        too_wide = true;
        return "found " + show(column) + " as the " + which +
               ", expected an id below 2^32; ids of 8 bytes would hold it";
      }
      const bool separated = parser.skip_separator();
      if (i == 0 && parser.at_break()) return "found one column, expected two ids";
      if (!separated && !parser.at_break()) return wrong_id(column, which);
    }
    const Out pair[2] = {static_cast<Out>(ids[0]), static_cast<Out>(ids[1])};
    std::memcpy(out, pair, sizeof(pair));
    if (room != 0) std::memset(out + sizeof(pair), 0, room);
    if (format.weight != WeightType::none) {
      const Parser column = parser;
      std::byte value[8];
      if (!parse_weight(parser, format.weight, value) || (!parser.skip_separator() && !parser.at_break())) {
        return "found " + show(column) + " as the weight, expected a number of its type";
      }
      if (kept <= shape.attachment_bytes) std::memcpy(out + sizeof(pair), value, kept);
    }
    parser.skip_line();
    out += shape.row_bytes;
    ++counts.edges;
  }
  return "";
}

}  // namespace

std::string parse_text(std::string_view text, const TextFormat& format, const core::PairShape& shape,
                       bool& header_allowed, std::byte* out, TextCounts& counts, bool& too_wide) {
  const Parser parser{text.data(), text.data() + text.size()};
  return shape.integer_bytes == 4
             ? parse<std::uint32_t>(parser, format, shape, header_allowed, out, counts, too_wide)
             : parse<std::uint64_t>(parser, format, shape, header_allowed, out, counts, too_wide);
}

}  // namespace emgraph::graph::format
