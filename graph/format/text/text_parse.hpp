// SPDX-License-Identifier: MIT
// Lines of a text edge list to rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/io/codec_pairs.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// What the lines hold.
struct TextFormat {
  std::size_t id_bytes = 4;              ///< larger ids are IdTooWide
  WeightType weight = WeightType::none;  ///< third column; none: whatever follows the ids is skipped
};

struct TextCounts {
  std::size_t lines = 0;
  std::size_t edges = 0;
};

/// Shortest line with an edge and the break that ends it: "1 2\n".
inline constexpr std::size_t min_line_bytes = 4;

/// Measured: lines of 15 bytes, 14.6 ns per edge and core (AMD EPYC).
/// Parses whole lines (the last may lack its break). Blank lines and those that start with # or % are
/// skipped, and if `header_allowed`, so is a first line of words. Line breaks: LF, CRLF, CR. Between columns:
/// blanks, with at most one comma. `out` has room for text.size() / min_line_bytes + 1 rows of `shape`.
/// `counts.lines` ends at the line that is wrong; returns what is wrong with it, "" if nothing. `too_wide`:
/// it is an id that 8 bytes would hold.
std::string parse_text(std::string_view text, const TextFormat& format, const core::PairShape& shape,
                       bool& header_allowed, std::byte* out, TextCounts& counts, bool& too_wide);

}  // namespace emgraph::graph::format
