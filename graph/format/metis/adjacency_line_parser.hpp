// SPDX-License-Identifier: MIT
// Lines with the neighbours of one node each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "graph/format/lines/line_parser.hpp"
#include "graph/format/metis/metis_header.hpp"

namespace emgraph::graph::format {

/// Lines may be of any length; an empty one is a node without neighbours, and behind the last node's nothing
/// but empty lines and comments (%) may stand. Sources are numbered from the start of a chunk until its place
/// is known.
class AdjacencyLineParser final : public LineParser {
 public:
  /// `base`: number of the first node.
  AdjacencyLineParser(const MetisHeader& header, std::uint64_t base) : header_(header), base_(base) {}

  std::size_t most_edges(std::size_t text_bytes) const override;
  void parse(std::string_view text, const TextPlace* before, const core::PairShape& shape, std::byte* out,
             ParsedChunk& parsed) const override;
  bool exceeds(const TextPlace& after) const override {
    return after.edges > header_.entries || after.nodes > header_.nodes ||
           (after.nodes == header_.nodes && after.columns > 0);
  }
  void settle(const TextPlace& before, const core::PairShape& shape, std::byte* rows,
              std::size_t count) const override;
  std::string check_end(const TextPlace& end) const override;

 private:
  template <class Out>
  class Pass;
  const MetisHeader header_;
  const std::uint64_t base_;
};

}  // namespace emgraph::graph::format
