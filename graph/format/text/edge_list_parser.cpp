// SPDX-License-Identifier: MIT
// A fast path for the most common lines.
//
// Problem: parse a line such as "17\t4\n" for every edge.
// Method: first find all bytes that are not digits (non_digits.hpp). A line is an edge if its first two
// non-digits, blanks before numbers aside, end numbers of 1 to 20 digits below 2^64, and the second one ends
// the line or is followed only by columns that are not used; a used third column must be an integer. Then
// position and length of the numbers are known, and they are computed without a loop (digits.hpp). parse_line
// parses all other lines (comments, quotes, signs, fractions, columns in another order, numbers of 21
// digits). Invariant: the fast path accepts a line only if parse_line accepts it, and gives the same row.
// Measured: 67 M edges of 15 bytes from text to raw pairs on disk: 8 CPU ns per edge in all, with reading and
// writing (AMD EPYC, scripts/bench_text.py); 2.4 GB/s of text to components with two threads.
//
// I/O: none. Memory: 37 KiB of stack. Threads: any. Throws: std::bad_alloc, for messages.
#include "graph/format/text/edge_list_parser.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/numbers/digits.hpp"
#include "graph/format/text/non_digits.hpp"

namespace emgraph::graph::format {
namespace {

/// Bytes of text whose non-digits are found at a time, so that they and the text stay in the first-level
/// cache.
constexpr std::size_t window_bytes = 8192;
/// Bytes that value_of_digits loads.
constexpr std::size_t load_bytes = 8;
/// Shortest line with an edge: "1 2\n".
constexpr std::size_t min_line_bytes = 4;

struct TextCounts {
  std::size_t lines = 0;  ///< including an invalid one
  std::size_t edges = 0;
  std::size_t wrong_at = 0;  ///< start of the invalid line
  LeftOutCounts left_out = {};
  std::vector<LeftOutLine> skipped = {};
};

std::uint64_t value_of_number(const char* text, std::size_t digits) {
  if (digits <= 8) [[likely]]
    return value_of_digits(text, digits);
  constexpr std::uint64_t eight_digits = 100000000;
  return value_of_digits(text, digits - 8) * eight_digits + value_of_digits(text + digits - 8, 8);
}

/// The value of a number of 1 to 20 digits; false if it is not below 2^64.
bool value_of_long_number(const char* text, std::size_t digits, std::uint64_t& value) {
  constexpr std::size_t most_digits = 20;
  constexpr std::uint64_t sixteen_digits = 10000000000000000;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (digits - 1 >= most_digits) return false;
  if (digits <= 16) {
    value = value_of_number(text, digits);
    return true;
  }
  const std::uint64_t high = value_of_digits(text, digits - 16);
  const std::uint64_t low = value_of_number(text + digits - 16, 16);
  value = high * sixteen_digits + low;
  return high < most / sixteen_digits || (high == most / sixteen_digits && low <= most % sixteen_digits);
}

/// Writes rows of one shape.
template <class Out>
struct RowWriter {
  const core::PairShape shape;
  const std::size_t weight_bytes;  // bytes of the weight that fit the shape
  std::byte* out;

  void put(std::uint64_t source, std::uint64_t target, const void* weight) {
    const Out pair[2] = {static_cast<Out>(source), static_cast<Out>(target)};
    std::memcpy(out, pair, sizeof(pair));
    if (shape.row_bytes != sizeof(pair)) {
      std::memset(out + sizeof(pair), 0, shape.row_bytes - sizeof(pair));
      std::memcpy(out + sizeof(pair), weight, weight_bytes);
    }
    out += shape.row_bytes;
  }
};

template <class Out>
class Pass {
 public:
  Pass(std::string_view text, const TextFormat& format, const core::PairShape& shape, std::byte* out)
      : format_(format),
        start_(text.data()),
        end_(text.data() + text.size()),
        window_(text.data()),
        rows_{shape, weight_bytes(format.weight) <= shape.attachment_bytes ? weight_bytes(format.weight) : 0,
              out},
        whole_weight_(format.weight == WeightType::u32 || format.weight == WeightType::i64),
        fast_(format.ids[0].column == 1 && format.ids[1].column == 2 &&
              (format.weight == WeightType::none || (whole_weight_ && format.weight_column == 3)) &&
              std::none_of(format.missing_values.begin(), format.missing_values.end(), may_be_number)) {
    for (std::size_t c = 0; c < 256; ++c) {
      const char found = static_cast<char>(c);
      const bool mark = format.separator == 0 && (found == ',' || found == ';');
      separators_[c] = !separates(found, format.separator) ? '\0' : mark ? found : ' ';
    }
  }

  /// Lines of the fast path have digits only, so they have no missing value of another kind.
  static bool may_be_number(const std::string& value) {
    return !value.empty() && value[0] >= '0' && value[0] <= '9';
  }

  std::string parse(bool& header_allowed, TextCounts& counts, bool& too_wide) {
    while (window_ != end_) {
      const std::size_t bytes = std::min<std::size_t>(window_bytes, static_cast<std::size_t>(end_ - window_));
      std::size_t line_start = 0;
      if (fast_ && !header_allowed) line_start = parse_window(bytes, counts);
      window_ += line_start;
      // Parses one line by parse_line: the fast path has refused it, or it crosses windows.
      if (window_ == end_) break;
      TextLine line;
      ++counts.lines;
      const LineKind kind = parse_line(window_, end_, format_, header_allowed, line);
      if (kind == LineKind::missing) ++counts.left_out.missing;
      if (kind == LineKind::wrong && format_.skip_invalid && !line.too_wide) {
        if (++counts.left_out.skipped <= LeftOutLines::most_shown) {
          counts.skipped.push_back({"", counts.lines, line.wrong});
        }
        skip_text_line(window_, end_);
        continue;
      }
      if (kind == LineKind::wrong) {
        too_wide = line.too_wide;
        counts.wrong_at = static_cast<std::size_t>(window_ - start_);
        return line.wrong;
      }
      if (kind == LineKind::edge) {
        rows_.put(line.ids[0], line.ids[1], line.weight);
        ++counts.edges;
      }
    }
    return "";
  }

 private:
  /// The kind of a separator: a mark, or a blank for all others; 0 if `c` separates nothing.
  char separator(char c) const { return separators_[static_cast<unsigned char>(c)]; }

  /// Skips blanks that stand before a number, each of which is the next non-digit, but none that is a
  /// separator.
  std::size_t behind_blanks(std::size_t at, std::size_t& i, std::size_t places) const {
    while (places_[i] == at && i + 2 < places && is_blank(window_[at])) {
      ++at;
      ++i;
    }
    return at;
  }
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != format_.separator; }

  /// Parses lines by the fast path, and other lines by parse_line if they are valid and end in the window.
  /// Returns the start of the first line that is not parsed.
  std::size_t parse_window(std::size_t bytes, TextCounts& counts) {
    const std::size_t places = find_non_digits(window_, bytes, places_);
    const auto left = static_cast<std::size_t>(end_ - window_);
    const std::size_t loadable = left < load_bytes ? 0 : left - load_bytes;  // value_of_digits may start here
    std::size_t start = 0;
    for (std::size_t i = 0; i + 2 < places;) {
      const std::size_t next_place = fast_line(start, i, places, loadable);
      ++counts.lines;
      if (next_place != 0) {
        ++counts.edges;
        i = next_place;
        continue;
      }
      const char* at = window_ + start;
      TextLine line;
      bool header_allowed = false;
      const LineKind kind = parse_line(at, end_, format_, header_allowed, line);
      const auto next = static_cast<std::size_t>(at - window_);
      if (kind == LineKind::wrong || next > bytes) {  // the caller parses it again
        --counts.lines;
        return start;
      }
      if (kind == LineKind::missing) ++counts.left_out.missing;
      if (kind == LineKind::edge) {
        rows_.put(line.ids[0], line.ids[1], line.weight);
        ++counts.edges;
      }
      start = next;
      while (i < places && places_[i] < start) ++i;
    }
    return start;
  }

  /// Parses the line at `start`, whose first non-digit has number `i`. Moves `start` to the next line and
  /// returns the number of its first non-digit. Returns 0, and changes nothing, if the line is not suitable.
  std::size_t fast_line(std::size_t& start, std::size_t i, std::size_t places, std::size_t loadable) {
    std::size_t first = start;
    std::size_t first_end = places_[i++];
    std::size_t second = first_end + 1;
    std::size_t second_end = places_[i++];
    if (first_end == first || second_end == second) [[unlikely]] {
      i -= 2;
      first = behind_blanks(first, i, places);
      first_end = places_[i++];
      second = behind_blanks(first_end + 1, i, places);
      second_end = places_[i++];
      if (i >= places) return 0;
    }
    const std::size_t first_digits = first_end - first;
    const std::size_t second_digits = second_end - second;
    const char kind = separator(window_[first_end]);
    if (second_end > loadable || kind == 0) return 0;
    constexpr std::size_t short_digits = 16;
    std::uint64_t source = 0;
    std::uint64_t target = 0;
    if (first_digits - 1 < short_digits && second_digits - 1 < short_digits) [[likely]] {
      source = value_of_number(window_ + first, first_digits);
      target = value_of_number(window_ + second, second_digits);
    } else if (!value_of_long_number(window_ + first, first_digits, source) ||
               !value_of_long_number(window_ + second, second_digits, target)) {
      return 0;
    }
    source -= format_.ids[0].base;
    target -= format_.ids[1].base;
    if (source > format_.ids[0].most || target > format_.ids[1].most) return 0;
    std::uint64_t weight = 0;
    std::size_t line_end = second_end;
    if (format_.weight != WeightType::none) {
      if (separator(window_[second_end]) != kind) return 0;
      const std::size_t third = behind_blanks(second_end + 1, i, places);
      if (i + 1 >= places) return 0;
      line_end = places_[i];
      ++i;
      const std::size_t digits = line_end - third;
      // Numbers of 8 digits fit every type.
      if (digits - 1 >= 8 || line_end > loadable) return 0;
      weight = value_of_digits(window_ + third, digits);
    }
    if (window_[line_end] != '\n') {
      if (separator(window_[line_end]) == kind) {  // more columns
        const char next = separator(window_[behind_blanks(line_end + 1, i, places)]);
        if (next != 0 && next != ' ' && next != kind) return 0;  // a comma behind blanks
        while (i < places && !is_line_break(window_[places_[i]])) ++i;
        if (i + 1 >= places) return 0;
        line_end = places_[i];
        ++i;
      }
      if (window_[line_end] == '\r') {
        if (places_[i] == line_end + 1 && window_[line_end + 1] == '\n') {
          ++line_end;
          ++i;
        }
      } else if (window_[line_end] != '\n') {
        return 0;
      }
    }
    rows_.put(source + format_.ids[0].offset, target + format_.ids[1].offset, &weight);
    start = line_end + 1;
    return i;
  }

  const TextFormat& format_;
  const char* const start_;
  const char* const end_;
  const char* window_;
  RowWriter<Out> rows_;
  const bool whole_weight_;
  const bool fast_;
  char separators_[256];
  std::uint32_t places_[window_bytes + non_digits_slack];
};

}  // namespace

std::string foreign_text(std::string_view text) {
  if (const std::string code(wide_encoding(text)); !code.empty()) {
    return "found " + code + ", expected ASCII or UTF-8 (iconv -f " + code + " -t UTF-8 converts it)";
  }
  const std::string_view magic(reinterpret_cast<const char*>(container_magic.data()), container_magic.size());
  if (text.starts_with(magic)) return "found an emgraph container inside, expected text; unpack it first";
  return "";
}

std::size_t EdgeListParser::most_edges(std::size_t text_bytes) const {
  return text_bytes / min_line_bytes + 1;
}

void EdgeListParser::parse(const LineChunk& chunk, const TextPlace* /*before*/, const core::PairShape& shape,
                           std::byte* out, ParsedChunk& parsed) const {
  if (chunk.number == 0) parsed.wrong = foreign_text(chunk.text);
  if (!parsed.wrong.empty()) return;
  TextCounts counts;
  bool header_allowed = chunk.number == 0 && format_.words_first;
  if (shape.integer_bytes == 4) {
    Pass<std::uint32_t> pass(chunk.text, format_, shape, out);
    parsed.wrong = pass.parse(header_allowed, counts, parsed.too_wide);
  } else {
    Pass<std::uint64_t> pass(chunk.text, format_, shape, out);
    parsed.wrong = pass.parse(header_allowed, counts, parsed.too_wide);
  }
  parsed.after.lines = counts.lines - (parsed.wrong.empty() ? 0 : 1);
  parsed.after.edges = counts.edges;
  parsed.after.left_out = counts.left_out;
  parsed.skipped = std::move(counts.skipped);
  if (parsed.wrong.empty() || !chunk.cut) return;
  if (whole_lines(chunk.text, LineRules::Breaks::any) <= counts.wrong_at) {
    parsed.wrong += " (a line of more than 64 KiB)";
  }
}

void EdgeListParser::check_place(const std::string& file, const LineChunk& chunk,
                                 const TextPlace& after) const {
  if (!edges_) return;
  const std::string declared = std::to_string(*edges_) + " that its head declares";
  if (after.edges > *edges_) {
    throw core::DataError::in_file(file, "found more edges than the " + declared);
  }
  if (chunk.last && after.edges < *edges_) {
    throw core::DataError::in_file(
        file, "found " + std::to_string(after.edges) + " edges, expected the " + declared);
  }
}

}  // namespace emgraph::graph::format
