// SPDX-License-Identifier: MIT
// Text cut into numbered chunks of lines, for many lanes to parse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/packing/text_stream.hpp"

namespace emgraph::graph::format {

/// What may be left over of one chunk for the next, and the longest line of a header. A buffer for chunks has
/// at least twice as much, and chunk_slack_bytes.
inline constexpr std::size_t max_carry_bytes = 65536;
/// Behind the text of a chunk stand a line feed and bytes that may be read.
inline constexpr std::size_t chunk_slack_bytes = 64;
/// Longest line with an edge where long lines are cut: most of it is columns that are not wanted.
inline constexpr std::size_t max_edge_line_bytes = std::size_t{1} << 20;

constexpr bool is_line_break(char c) {
  return c == '\n' || c == '\r';
}

/// What differs between texts.
struct LineRules {
  enum class Breaks {
    feed,  ///< LF; a CR before it is left to the parser
    any    ///< LF, CRLF and CR, in any mixture
  };
  /// What becomes of a line whose start takes more than max_carry_bytes of a chunk.
  enum class LongLines {
    refuse,  ///< an error
    split,   ///< between two columns: the next chunk starts inside the line
    cut      ///< its start is delivered, the rest is skipped: a comment, or an edge and what stands beside it
  };
  Breaks breaks = Breaks::feed;
  LongLines long_lines = LongLines::refuse;
  std::uint64_t skip_lines = 0;  ///< at the start of the text; they are not delivered
};

/// What a lane parses at a time.
struct LineChunk {
  std::uint64_t number = 0;
  /// Lies in the caller's buffer; a line feed stands behind it, and 63 bytes more can be read. Whole lines,
  /// but for what follows; the last line of the text may lack its break.
  std::string_view text = {};
  bool starts_inside = false;  ///< of a line that the chunk before began
  bool cut = false;            ///< the last line has been cut; its last byte has been replaced by cut_mark
  bool last = false;           ///< of the text; such a chunk comes even if nothing is left for it
  std::string wrong = {};      ///< what is wrong with the line behind `text`; no chunk follows
};

/// No column can end here unnoticed.
inline constexpr char cut_mark = '\x01';

/// Bytes up to and with the last line break. A CR as the last byte does not count: an LF may follow it.
std::size_t whole_lines(std::string_view text, LineRules::Breaks breaks);

/// Method: a buffer is filled; what stands behind its last line break is kept for the next one.
/// Memory: 64 KiB, and what unpacking takes. Threads: one takes the header; then any number call read().
/// Throws: DataError (damaged packing, fewer lines than are to be skipped), EnvironmentError.
class LineChunks {
 public:
  /// The input outlives this.
  LineChunks(core::Environment& environment, core::InputFile& input, const LineRules& rules);

  /// The next line of a header without its break; none at the end of the text. For Breaks::feed, before
  /// read().
  std::optional<std::string_view> line();
  /// Goes past what line() returned.
  void take_line();

  /// Lines before the body: those of the header, or those to be skipped.
  std::uint64_t lines_before() const { return lines_before_; }
  /// Bytes before the body. Lines to be skipped are skipped now.
  std::uint64_t bytes_before();

  /// The next chunk of the body; false behind the last. Reads and unpacks in the calling thread under a lock,
  /// while others parse what they have.
  bool read(std::span<std::byte> buffer, LineChunk& chunk);
  /// From the start of the body again. Requires: the input is seekable.
  void rewind();

 private:
  enum class Skipped { line, all_there_was, more_than_asked };
  std::string_view carried() const;
  /// Goes past bytes that are carried.
  void take(std::size_t bytes);
  void refill();
  void skip_to_body();
  Skipped skip_rest_of_line(std::uint64_t most_bytes);
  /// Ends the chunk where its last whole line ends and keeps the rest. False: no chunk follows.
  bool end_chunk(std::span<std::byte> filled, LineChunk& chunk);
  bool split_line(std::string_view text, LineChunk& chunk);
  bool cut_line(std::span<std::byte> filled, std::size_t whole, LineChunk& chunk);
  void keep(std::string_view rest);

  const std::string name_;
  const LineRules rules_;
  std::unique_ptr<TextStream> stream_;
  std::mutex mutex_;    // guards what follows once lanes read
  core::Buffer carry_;  // read and not delivered: from carry_begin_ to carry_end_
  std::size_t carry_begin_ = 0;
  std::size_t carry_end_ = 0;
  bool stream_ended_ = false;
  bool skip_feed_ = false;  // the last line ended in CR: an LF that follows belongs to it
  bool in_body_ = false;
  std::uint64_t lines_before_;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t chunks_ = 0;  // delivered
  bool inside_ = false;       // the next chunk starts inside a line
  bool ended_ = false;
};

}  // namespace emgraph::graph::format
