// SPDX-License-Identifier: MIT
// A hand-written parser. It makes an error message only after it has found an error.
#include "graph/format/text/edge_line_parser.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "graph/format/numbers/digits.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/text/header_lines.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t most_number = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view expected_integer = "expected an integer that fits 64 bits";
constexpr std::string_view expected_real = "expected a finite number";

}  // namespace

std::size_t EdgeLineParser::most_edges(std::size_t text_bytes) const {
  const std::size_t shortest = std::string_view("1 1\n").size() + (rules_.letter == 0 ? 0 : 2) +
                               (rules_.weight == WeightType::none ? 0 : 2);
  return text_bytes / shortest + 1;
}

template <class Out>
class EdgeLineParser::Pass {
 public:
  Pass(const EdgeLineRules& rules, std::string_view text, std::uint64_t edges_left,
       const core::PairShape& shape, std::byte* out, ParsedChunk& parsed)
      : rules_(rules),
        at_(text.data()),
        end_(text.data() + text.size()),
        edges_left_(edges_left),
        shape_(shape),
        out_(out),
        parsed_(parsed),
        narrow_(!rules.nodes && rules.id_bytes == 4),
        second_begin_(rules.left_nodes.value_or(0)),
        first_ids_(rules.left_nodes ? *rules.left_nodes : all_ids()),
        second_ids_(all_ids() - second_begin_) {}

  void run() {
    std::uint64_t lines = 0;
    std::uint64_t edges = 0;
    for (; at_ < end_; ++at_, ++lines) {
      skip_blanks();
      if (at_break(at_)) {
        at_ += *at_ == '\r';
        if (at_ == end_) break;
        continue;
      }
      if (rules_.skipped.find(*at_) != std::string_view::npos) {
        at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_ + 1)));
      } else {
        if (edges == edges_left_) {
          parsed_.wrong = "found one edge more than the " + std::to_string(*rules_.edges) + " declared";
        } else {
          edge();
        }
        if (!parsed_.wrong.empty()) break;
        ++edges;
      }
      if (at_ == end_) break;
    }
    parsed_.after.lines = lines;
    parsed_.after.edges = edges;
  }

 private:
  std::uint64_t all_ids() const {
    if (rules_.nodes) return *rules_.nodes;
    return narrow_ ? std::uint64_t{1} << 32 : most_number;
  }

  void skip_blanks() {
    while (is_blank(*at_)) ++at_;
  }

  /// Parses an edge up to its line break, or sets `wrong`.
  void edge() {
    if (rules_.letter != 0) {
      if (*at_ != rules_.letter || !is_blank(at_[1])) {
        return refuse(at_, std::string("as the start of a line, expected '") + rules_.letter +
                               "', a blank and two ids");
      }
      ++at_;
      skip_blanks();
    }
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    if (!id(rules_.first, first_ids_, first) || !id(rules_.second, second_ids_, second)) return;
    second += second_begin_;
    if (rules_.triangle != EdgeLineRules::Triangle::whole) {
      const bool strictly = rules_.triangle == EdgeLineRules::Triangle::strictly_lower;
      if (first < second || (strictly && first == second)) {
        parsed_.wrong = "found " + std::string(rules_.first) + " " + std::to_string(first + rules_.base) +
                        " and " + std::string(rules_.second) + " " + std::to_string(second + rules_.base) +
                        ", expected entries below the diagonal" + (strictly ? "" : " or on it");
        return;
      }
    }
    const Out source = static_cast<Out>(rules_.second_is_source ? second : first);
    const Out target = static_cast<Out>(rules_.second_is_source ? first : second);
    const Out pair[2] = {source, target};
    std::memcpy(out_, pair, sizeof(pair));
    if (const std::size_t room = shape_.row_bytes - sizeof(pair); room != 0) {
      std::memset(out_ + sizeof(pair), 0, room);
    }
    if (rules_.weight != WeightType::none && !weight(out_ + sizeof(pair))) return;
    out_ += shape_.row_bytes;
    if (!at_break(at_)) return refuse(at_, "where the line should end");
    at_ += *at_ == '\r';
  }

  /// Moves to the next column. `ids`: the number of ids that it may have.
  bool id(std::string_view which, std::uint64_t ids, std::uint64_t& value) {
    const char* const column = at_;
    std::uint64_t number = 0;
    const bool read = read_decimal(at_, number);
    value = number - rules_.base;
    // A number below the base has wrapped around; it is refused here, too.
    if (!read || number < rules_.base || value >= ids || !(is_blank(*at_) || at_break(at_))) {
      const bool whole = read && (is_blank(*at_) || at_break(at_));
      at_ = column;
      wrong_id(which, ids, whole, whole && number >= rules_.base);
      return false;
    }
    skip_blanks();
    return true;
  }

  void wrong_id(std::string_view which, std::uint64_t ids, bool number, bool above) {
    if (number && above && narrow_) {
      parsed_.too_wide = true;
      parsed_.wrong = "found " + show_column(at_) + " as the " + std::string(which) +
                      ", expected an id below 2^32; ids of 8 bytes would hold it";
      return;
    }
    if (ids == 0) {
      return refuse(at_, "as the " + std::string(which) + ", expected no edges between 0 nodes");
    }
    const std::uint64_t most = rules_.nodes ? ids - 1 + rules_.base : most_number;
    parsed_.wrong = wrong_number(at_, std::string(which), rules_.base, most) +
                    (number && !above ? std::string(rules_.hint) : "");
  }

  bool weight(std::byte* attachment) {
    const char* const column = at_;
    std::uint64_t bits = 0;
    bool read = false;
    if (rules_.weight == WeightType::i64) {
      std::int64_t value = 0;
      read = read_integer(at_, value);
      std::memcpy(&bits, &value, sizeof(bits));
    } else {
      double value = 0;
      read = read_fraction(at_, end_, value);
      std::memcpy(&bits, &value, sizeof(bits));
    }
    if (!read || !(is_blank(*at_) || at_break(at_))) {
      refuse(column, "as the weight, " +
                         std::string(rules_.weight == WeightType::i64 ? expected_integer : expected_real));
      return false;
    }
    if (shape_.attachment_bytes >= sizeof(bits)) std::memcpy(attachment, &bits, sizeof(bits));
    skip_blanks();
    return true;
  }

  void refuse(const char* column, const std::string& what) {
    parsed_.wrong = "found " + show_column(column) + " " + what;
  }

  const EdgeLineRules& rules_;
  const char* at_;
  const char* const end_;
  const std::uint64_t edges_left_;
  const core::PairShape shape_;
  std::byte* out_;
  ParsedChunk& parsed_;
  const bool narrow_;
  const std::uint64_t second_begin_;
  const std::uint64_t first_ids_;
  const std::uint64_t second_ids_;
};

void EdgeLineParser::parse(const LineChunk& chunk, const TextPlace* before, const core::PairShape& shape,
                           std::byte* out, ParsedChunk& parsed) const {
  const std::uint64_t edges_left =
      before != nullptr && rules_.edges ? *rules_.edges - before->edges : most_number;
  if (shape.integer_bytes == 4) {
    Pass<std::uint32_t>(rules_, chunk.text, edges_left, shape, out, parsed).run();
  } else {
    Pass<std::uint64_t>(rules_, chunk.text, edges_left, shape, out, parsed).run();
  }
}

void EdgeLineParser::check_place(const std::string& file, const LineChunk& chunk,
                                 const TextPlace& after) const {
  if (!chunk.last || !rules_.edges || after.edges == *rules_.edges) return;
  refuse_end(file, chunk, after,
             "found " + std::to_string(after.edges) + " edges, expected the " +
                 std::to_string(*rules_.edges) + " declared");
}

}  // namespace emgraph::graph::format
