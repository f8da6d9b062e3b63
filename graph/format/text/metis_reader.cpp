// SPDX-License-Identifier: MIT
// Reads the header, then parses each chunk of adjacency lines in one pass.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/numbers/digits.hpp"
#include "graph/format/text/header_lines.hpp"
#include "graph/format/text/line_source.hpp"
#include "graph/format/text/metis.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t most_number = std::numeric_limits<std::uint64_t>::max();
/// Weights are positive, and stored as i64.
constexpr std::uint64_t most_weight = std::numeric_limits<std::int64_t>::max();

struct MetisHeader {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;       ///< number of entries; each edge is in two lines
  std::uint64_t node_columns = 0;  ///< columns before the neighbours: a size, weights
  bool weighted = false;           ///< a weight follows each neighbour
};

/// Lines may have any length. An empty line is a node without neighbours. Only empty lines and comments (%)
/// may follow the line of the last node. Sources are numbered from the start of the chunk until its place is
/// known.
class AdjacencyLineParser final : public LineParser {
 public:
  /// `base`: number of the first node.
  AdjacencyLineParser(const MetisHeader& header, std::uint64_t base) : header_(header), base_(base) {}

  std::size_t most_edges(std::size_t text_bytes) const override;
  void parse(const LineChunk& chunk, const TextPlace* before, const core::PairShape& shape, std::byte* out,
             ParsedChunk& parsed) const override;
  bool exceeds(const TextPlace& after) const override {
    return after.edges > header_.entries || after.nodes > header_.nodes ||
           (after.nodes == header_.nodes && after.columns > 0);
  }
  void complete_rows(const TextPlace& before, const core::PairShape& shape, std::byte* rows,
                     std::size_t count) const override;
  void check_place(const std::string& file, const LineChunk& chunk, const TextPlace& after) const override;

 private:
  template <class Out>
  class Pass;
  std::string wrong_end(const TextPlace& end) const;
  const MetisHeader header_;
  const std::uint64_t base_;
};

std::size_t AdjacencyLineParser::most_edges(std::size_t text_bytes) const {
  return text_bytes / (header_.weighted ? 4 : 2) + 2;
}

template <class Out>
class AdjacencyLineParser::Pass {
 public:
  Pass(const MetisHeader& header, std::uint64_t base, std::string_view text, const TextPlace* before,
       const core::PairShape& shape, std::byte* out, ParsedChunk& parsed)
      : header_(header),
        base_(base),
        at_(text.data()),
        end_(text.data() + text.size()),
        nodes_left_(before == nullptr ? most_number : header.nodes - std::min(header.nodes, before->nodes)),
        edges_left_(before == nullptr ? most_number : header.entries - before->edges),
        place_known_(before != nullptr),
        shape_(shape),
        out_(out),
        parsed_(parsed),
        columns_(before == nullptr ? 0 : before->columns),
        held_(before == nullptr ? 0 : before->held),
        comment_(before != nullptr && before->comment) {}

  void run() {
    while (at_ < end_ && parsed_.wrong.empty()) {
      if (comment_ || (columns_ == 0 && !inside_ && *at_ == '%')) {
        comment();
      } else {
        adjacency_line();
      }
    }
    parsed_.after = {.lines = lines_,
                     .edges = edges_,
                     .nodes = nodes_,
                     .columns = columns_,
                     .held = held_,
                     .comment = comment_};
  }

 private:
  void comment() {
    at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_ + 1)));
    comment_ = at_ == end_;
    if (comment_) return;
    ++at_;
    ++lines_;
  }

  /// Parses up to the start of the next line, the end of the text, or the first error.
  void adjacency_line() {
    inside_ = true;
    while (true) {
      while (is_blank(*at_)) ++at_;
      if (at_break(at_)) {
        at_ += *at_ == '\r';
        if (at_ < end_) end_line();
        return;
      }
      if (!column()) return;
    }
  }

  void end_line() {
    if (columns_ < header_.node_columns) {
      // The line may be an empty one after those of all nodes.
      if (columns_ == 0 && !place_known_) {
        parsed_.doubtful = true;
      } else if (columns_ != 0 || nodes_ < nodes_left_) {
        parsed_.wrong = "found " + std::to_string(columns_) + " columns, expected " +
                        std::to_string(header_.node_columns) + " weights of the node first";
        return;
      }
    } else if (waits_for_weight()) {
      parsed_.wrong =
          "found the end of the line, expected the weight of the edge to " + std::to_string(held_ + base_);
      return;
    }
    ++at_;
    ++lines_;
    ++nodes_;
    columns_ = 0;
    inside_ = false;
  }

  bool waits_for_weight() const { return header_.weighted && (columns_ - header_.node_columns) % 2 == 1; }

  bool column() {
    const char* const start = at_;
    std::uint64_t number = 0;
    const bool read = read_decimal(at_, number) && (is_blank(*at_) || at_break(at_));
    if (nodes_ >= nodes_left_ || header_.nodes == 0) {
      parsed_.wrong =
          "found an adjacency line after those of the " + std::to_string(header_.nodes) + " nodes declared";
      return false;
    }
    if (columns_ < header_.node_columns) {
      if (!read) return refuse(start, "weight of the node", 0, most_number);
    } else if (waits_for_weight()) {
      if (!read || number > most_weight) return refuse(start, "weight of an edge", 0, most_weight);
      edge(held_, number);
    } else {
      const std::uint64_t id = number - base_;
      // A number below the base has wrapped around; it is refused here, too.
      if (!read || number < base_ || id >= header_.nodes) {
        return refuse(start, "neighbour", base_, header_.nodes - 1 + base_);
      }
      if (edges_ == edges_left_) {
        parsed_.wrong =
            "found one entry more than the " + std::to_string(header_.entries) + " of the edges declared";
        return false;
      }
      if (header_.weighted) {
        held_ = id;
      } else {
        edge(id, 0);
      }
    }
    ++columns_;
    return true;
  }

  void edge(std::uint64_t target, std::uint64_t weight) {
    const Out pair[2] = {static_cast<Out>(nodes_), static_cast<Out>(target)};
    std::memcpy(out_, pair, sizeof(pair));
    if (const std::size_t room = shape_.row_bytes - sizeof(pair); room != 0) {
      std::memset(out_ + sizeof(pair), 0, room);
      if (header_.weighted && shape_.attachment_bytes >= sizeof(weight)) {
        std::memcpy(out_ + sizeof(pair), &weight, sizeof(weight));
      }
    }
    out_ += shape_.row_bytes;
    ++edges_;
  }

  bool refuse(const char* column, const char* which, std::uint64_t least, std::uint64_t most) {
    parsed_.wrong = wrong_number(column, which, least, most);
    return false;
  }

  const MetisHeader& header_;
  const std::uint64_t base_;
  const char* at_;
  const char* const end_;
  const std::uint64_t nodes_left_;
  const std::uint64_t edges_left_;
  const bool place_known_;
  const core::PairShape shape_;
  std::byte* out_;
  ParsedChunk& parsed_;
  std::uint64_t lines_ = 0;
  std::uint64_t edges_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t columns_;
  std::uint64_t held_;
  bool comment_;
  bool inside_ = false;
};

void AdjacencyLineParser::parse(const LineChunk& chunk, const TextPlace* before, const core::PairShape& shape,
                                std::byte* out, ParsedChunk& parsed) const {
  if (shape.integer_bytes == 4) {
    Pass<std::uint32_t>(header_, base_, chunk.text, before, shape, out, parsed).run();
  } else {
    Pass<std::uint64_t>(header_, base_, chunk.text, before, shape, out, parsed).run();
  }
}

void AdjacencyLineParser::complete_rows(const TextPlace& before, const core::PairShape& shape,
                                        std::byte* rows, std::size_t count) const {
  const auto add = [&]<class Id>(Id nodes) {
    for (std::size_t i = 0; i < count; ++i, rows += shape.row_bytes) {
      Id source;
      std::memcpy(&source, rows, sizeof(source));
      source += nodes;
      std::memcpy(rows, &source, sizeof(source));
    }
  };
  if (before.nodes == 0) return;
  if (shape.integer_bytes == 4) {
    add(static_cast<std::uint32_t>(before.nodes));
  } else {
    add(before.nodes);
  }
}

/// The error of the whole text, or "".
std::string AdjacencyLineParser::wrong_end(const TextPlace& end) const {
  // The last line may have no break, or be empty and missing.
  const bool last_is_there = end.nodes + 1 == header_.nodes && end.columns >= header_.node_columns;
  if (end.nodes < header_.nodes && !last_is_there) {
    return "found " + std::to_string(end.nodes + (end.columns > 0 ? 1 : 0)) +
           " adjacency lines, expected one for each of the " + std::to_string(header_.nodes) + " nodes";
  }
  if (header_.weighted && end.columns > header_.node_columns &&
      (end.columns - header_.node_columns) % 2 == 1) {
    return "expected the weight of its last edge first";
  }
  if (end.edges != header_.entries) {
    return "found " + std::to_string(end.edges) + " entries, expected " + std::to_string(header_.entries) +
           ", two for each of the " + std::to_string(header_.entries / 2) + " edges declared";
  }
  return "";
}

void AdjacencyLineParser::check_place(const std::string& file, const LineChunk& chunk,
                                      const TextPlace& after) const {
  const std::string wrong = chunk.last ? wrong_end(after) : "";
  if (!wrong.empty()) refuse_end(file, chunk, after, wrong);
}

MetisHeader read_header(const std::vector<std::string_view>& columns, const std::string& file,
                        std::uint64_t line) {
  const auto refuse = [&](const std::string& what) { throw core::DataError::at_line(file, line, what); };
  if (columns.size() < 2 || columns.size() > 4) {
    refuse("found a header of " + std::to_string(columns.size()) +
           " columns, expected NODES EDGES [FORMAT [NODE_WEIGHTS]]");
  }
  MetisHeader header;
  header.nodes = header_number(columns[0], "number of nodes", file, line);
  const std::uint64_t edges = header_number(columns[1], "number of edges", file, line);
  if (edges > std::numeric_limits<std::uint64_t>::max() / 2) {
    refuse("found " + std::to_string(edges) + " edges, expected fewer than 2^63");
  }
  header.entries = 2 * edges;
  if (columns.size() < 3) return header;
  const std::string_view format = columns[2];
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    refuse("found the format '" + std::string(format) +
           "', expected up to three digits 0 or 1: node sizes, node weights, edge weights");
  }
  const auto digit = [&](std::size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  header.weighted = digit(0);
  if (digit(1)) header.node_columns = 1;
  if (columns.size() == 4) {
    const std::uint64_t weights = header_number(columns[3], "number of node weights", file, line);
    constexpr std::uint64_t most_weights = 1 << 20;
    if (weights > most_weights)
      refuse("found " + std::to_string(weights) + " weights per node, expected fewer");
    if (digit(1)) header.node_columns = weights;
  }
  if (digit(2)) ++header.node_columns;
  return header;
}

/// Reads comments and the header. Throws DataError.
/// Source: G. Karypis, "METIS, Version 5.1.0" (manual), section 4.1.1.
MetisHeader take_metis_header(LineInput& input) {
  const std::string& file = input.file.name();
  for (;; input.chunks.take_line()) {
    const auto line = input.chunks.line();
    if (!line)
      throw core::DataError::in_file(file, "has no header, expected NODES EDGES [FORMAT [NODE_WEIGHTS]]");
    if (line->starts_with('%')) continue;
    const MetisHeader header = read_header(columns_of(*line), file, input.chunks.lines_before() + 1);
    input.chunks.take_line();
    return header;
  }
}

}  // namespace

Opened open_metis(core::Environment& environment, core::InputFile file, const Format& /*format*/,
                  const OpenOptions& options) {
  auto input = std::make_unique<LineInput>(environment, std::move(file),
                                           LineRules{.long_lines = LineRules::LongLines::split});
  const MetisHeader header = take_metis_header(*input);
  EdgeFacts facts;
  facts.layout.id_bytes = id_bytes_for(header.nodes, options);
  if (header.weighted) facts.layout.weight = WeightType::i64;
  facts.nodes = header.nodes;
  facts.edges = header.entries;
  auto parser = std::make_unique<AdjacencyLineParser>(header, options.id_base.value_or(1));
  return {std::make_shared<LineSource>(environment, std::move(input), std::move(facts), std::move(parser),
                                       options.max_lanes)};
}

}  // namespace emgraph::graph::format
