// SPDX-License-Identifier: MIT
// Lines of a text edge list to rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/io/codec_pairs.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// One of the two ids of a line. The number that stands there must be at least `base`; less `base` it must be
/// at most `most`; plus `offset` it is the id.
struct TextId {
  unsigned column = 1;
  std::uint64_t base = 0;
  std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t offset = 0;
};

/// What the lines hold.
struct TextFormat {
  std::size_t id_bytes = 4;  ///< larger ids are IdTooWide
  std::array<TextId, 2> ids = {TextId{.column = 1}, TextId{.column = 2}};
  bool declared_nodes = false;           ///< `most` is what the file declares, not the width of ids
  WeightType weight = WeightType::none;  ///< none: whatever stands beside the ids is skipped
  unsigned weight_column = 3;
  bool weight_optional = false;  ///< 1 where the line ends before it
  char separator = 0;            ///< as TextOptions::separator

  unsigned last_column() const;
};

struct TextCounts {
  std::size_t lines = 0;
  std::size_t edges = 0;
  std::size_t wrong_at = 0;  ///< where the line that is wrong starts
};

/// Shortest line with an edge and the break that ends it: "1 2\n".
inline constexpr std::size_t min_line_bytes = 4;

/// Parses whole lines (the last may lack its break). Blank lines and those that start with # or % are
/// skipped, and if `header_allowed`, so is a first line of words. Line breaks: LF, CRLF, CR. Numbers may
/// stand in double quotes. `out` has room for text.size() / min_line_bytes + 1 rows of `shape`.
/// `counts.lines` ends at the line that is wrong; returns what is wrong with it, "" if nothing. `too_wide`:
/// it is an id that 8 bytes would hold.
std::string parse_text(std::string_view text, const TextFormat& format, const core::PairShape& shape,
                       bool& header_allowed, std::byte* out, TextCounts& counts, bool& too_wide);

}  // namespace emgraph::graph::format
