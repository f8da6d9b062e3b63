// SPDX-License-Identifier: MIT
// The parser of edge lists (SNAP, KONECT, TSV, CSV, GAPBS): a line per edge, columns in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graph/format/text/line_source.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {

/// Describes the start of a text that cannot be an edge list; "" if it can be one.
std::string foreign_text(std::string_view start);

/// Skips blank lines, lines that start with # or %, and a first line of words. Line breaks: LF, CRLF, CR.
/// Numbers may be in double quotes.
class EdgeListParser final : public LineParser {
 public:
  /// `edges`: number of edges declared by a header; it is checked.
  explicit EdgeListParser(const TextFormat& format, const std::optional<std::uint64_t>& edges = std::nullopt)
      : format_(format), edges_(edges) {}

  std::size_t most_edges(std::size_t text_bytes) const override;
  void parse(const LineChunk& chunk, const TextPlace* before, const core::PairShape& shape, std::byte* out,
             ParsedChunk& parsed) const override;
  void check_place(const std::string& file, const LineChunk& chunk, const TextPlace& after) const override;
  LeftOutLines* left_out() const override { return format_.left_out.get(); }

 private:
  const TextFormat format_;
  const std::optional<std::uint64_t> edges_;
};

}  // namespace emgraph::graph::format
