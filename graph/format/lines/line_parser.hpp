// SPDX-License-Identifier: MIT
// What a format of lines knows: how a chunk of its text becomes edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/io/codec_pairs.hpp"

namespace emgraph::graph::format {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// At a line break, the one behind the text included.
inline bool at_break(const char* at) {
  return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/// What lies before a place in the text.
struct TextPlace {
  std::uint64_t lines = 0;  ///< line breaks, the header's included
  std::uint64_t edges = 0;
  std::uint64_t nodes = 0;    ///< adjacency lines, for formats that have them: their breaks
  std::uint64_t columns = 0;  ///< of the line not ended yet
  std::uint64_t held = 0;     ///< the last of these columns, if its edge needs one more
  bool comment = false;       ///< the line not ended yet is one
};

/// What one chunk held, up to its end or to what is wrong.
struct ParsedChunk {
  TextPlace after;        ///< lines, edges and nodes of this chunk alone
  bool doubtful = false;  ///< right or wrong by where the chunk stands: parse again with the place known
  bool too_wide = false;  ///< wrong, because of an id that 8 bytes would hold
  std::string wrong;      ///< with the line after `after.lines`
};

/// Thread-safe.
class LineParser {
 public:
  virtual ~LineParser() = default;

  /// `edges` edges at most are in this many bytes of text.
  virtual std::size_t most_edges(std::size_t text_bytes) const = 0;
  /// `before`: unknown (null) only if the text starts a line; known, counts that exceed what the header
  /// declares are wrong. A line feed stands behind the text and 8 more bytes can be read. `out` has room for
  /// most_edges(text.size()) rows of `shape`.
  virtual void parse(std::string_view text, const TextPlace* before, const core::PairShape& shape,
                     std::byte* out, ParsedChunk& parsed) const = 0;
  /// Do the counts exceed what the header declares?
  virtual bool exceeds(const TextPlace& after) const = 0;
  /// Completes rows by what only the place tells.
  virtual void settle(const TextPlace& /*before*/, const core::PairShape& /*shape*/, std::byte* /*rows*/,
                      std::size_t /*count*/) const {}
  /// What is wrong with the whole, "" if nothing.
  virtual std::string check_end(const TextPlace& end) const = 0;
};

}  // namespace emgraph::graph::format
