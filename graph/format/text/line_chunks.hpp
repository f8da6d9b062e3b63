// SPDX-License-Identifier: MIT
// Cuts text into numbered chunks of lines, which several lanes parse.
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

/// Most bytes of a chunk that are kept for the next one, and the longest line of a header. A buffer for
/// chunks has at least twice this size, and chunk_slack_bytes.
inline constexpr std::size_t max_carry_bytes = 65536;
/// Bytes after the text of a chunk: a line feed, and bytes that may be read.
inline constexpr std::size_t chunk_slack_bytes = 64;
/// Longest line with an edge if long lines are cut; most of it are unused columns.
inline constexpr std::size_t max_edge_line_bytes = std::size_t{1} << 20;

/// UTF-16 or UTF-32 if `text` starts with its mark; else empty.
constexpr std::string_view wide_encoding(std::string_view text) {
  constexpr std::string_view low_first_32("\xff\xfe\0\0", 4);
  constexpr std::string_view high_first_32("\0\0\xfe\xff", 4);
  if (text.starts_with(low_first_32) || text.starts_with(high_first_32)) return "UTF-32";
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ? "UTF-16" : "";
}

/// The text of a file after the mark of UTF-8 with which it may begin.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

constexpr bool is_line_break(char c) {
  return c == '\n' || c == '\r';
}

/// The differences between kinds of text.
struct LineRules {
  enum class Breaks {
    feed,  ///< LF; the parser handles a CR before it
    any    ///< LF, CRLF and CR, in any mixture
  };
  /// The handling of a line whose start takes more than max_carry_bytes of a chunk.
  enum class LongLines {
    refuse,  ///< an error
    split,   ///< between two columns: the next chunk starts inside the line
    cut      ///< its start is delivered, the rest is skipped: a comment, or an edge with unused columns
  };
  Breaks breaks = Breaks::feed;
  LongLines long_lines = LongLines::refuse;
  std::uint64_t skip_lines = 0;  ///< lines to skip at the start of the text
};

/// The text that a lane parses at a time.
struct LineChunk {
  std::uint64_t number = 0;
  /// Refers to the caller's buffer; a line feed follows it, and 63 more bytes can be read. It consists of
  /// whole lines, with the exceptions below. The last line of the text may have no break.
  std::string_view text = {};
  bool starts_inside = false;  ///< starts inside a line that began in the previous chunk
  bool cut = false;            ///< the last line was cut; its last byte was replaced by cut_mark
  bool last = false;           ///< the last chunk of the text, which may be empty
  std::string wrong = {};      ///< the error in the line after `text`; no chunk follows
};

/// Replaces the last byte of a cut line. No valid column ends with it.
inline constexpr char cut_mark = '\x01';

/// Bytes up to and including the last line break. A CR as the last byte does not count, because an LF may
/// follow.
std::size_t whole_lines(std::string_view text, LineRules::Breaks breaks);

/// Method: fills a buffer, and keeps the text after its last line break for the next chunk.
/// Memory: 64 KiB, and that of unpacking. Threads: one reads the header; then any number may call read().
/// Throws: DataError (damaged packed data, fewer lines than must be skipped), EnvironmentError.
class LineChunks {
 public:
  /// The input must outlive this object.
  LineChunks(core::Environment& environment, core::InputFile& input, const LineRules& rules);

  /// The next line of a header, without its break; nullopt at the end of the text. Requires: Breaks::feed;
  /// read() was not called.
  std::optional<std::string_view> line();
  /// Skips the line that line() returned.
  void take_line();

  /// The text from the first line with data on, or as much of it as 64 KiB hold; empty: there is none. Skips
  /// the lines to skip, blank lines and comments. Requires: Breaks::any; read() was not called. Valid until
  /// the next call.
  std::string_view data_lines();
  /// True if data_lines() returned all text to the end.
  bool holds_rest() const { return stream_ended_; }
  /// Skips the first line that data_lines() returned.
  void take_data_line();

  /// Lines before the body: those of the header, or the skipped ones.
  std::uint64_t lines_before() const { return lines_before_; }
  /// Bytes before the body. Skips the lines to skip.
  std::uint64_t bytes_before();

  /// Reads the next chunk of the body; false after the last one. Reads and unpacks in the calling thread
  /// under a lock, while other threads parse.
  bool read(std::span<std::byte> buffer, LineChunk& chunk);
  /// The number of chunks that read() has returned.
  std::uint64_t delivered();
  /// Starts again at the start of the body. Requires: the input is seekable; let_go() was not called.
  void rewind();
  /// Ends reading and frees its memory.
  void let_go();

 private:
  enum class Skipped { line, all_there_was, more_than_asked };
  std::string_view carried() const;
  /// Removes bytes from carry_.
  void take(std::size_t bytes);
  void refill();
  void skip_asked_lines();
  /// Skips the LF of a CRLF whose CR was skipped.
  void skip_feed();
  void skip_to_body();
  Skipped skip_rest_of_line(std::uint64_t most_bytes);
  /// Ends the chunk after its last whole line and keeps the rest. False: no chunk follows.
  bool end_chunk(std::span<std::byte> filled, LineChunk& chunk);
  bool split_line(std::string_view text, LineChunk& chunk);
  bool cut_line(std::span<std::byte> filled, std::size_t whole, LineChunk& chunk);
  void keep(std::string_view rest);

  const std::string name_;
  const LineRules rules_;
  std::unique_ptr<TextStream> stream_;
  std::mutex mutex_;    // guards the members below when lanes read
  core::Buffer carry_;  // bytes that were read and not delivered: from carry_begin_ to carry_end_
  std::size_t carry_begin_ = 0;
  std::size_t carry_end_ = 0;
  bool stream_ended_ = false;
  bool skip_feed_ = false;      // the last line ended in CR; a following LF belongs to it
  bool asked_skipped_ = false;  // the lines to skip are skipped
  bool in_body_ = false;
  std::uint64_t lines_before_;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t chunks_ = 0;  // number of delivered chunks
  bool inside_ = false;       // the next chunk starts inside a line
  bool ended_ = false;
};

}  // namespace emgraph::graph::format
