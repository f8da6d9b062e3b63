// SPDX-License-Identifier: MIT
// Cuts a text that begins with header lines into chunks for many lanes to parse.
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

/// Longest line of a header, and of the rest where lines are not split.
inline constexpr std::size_t longest_line_bytes = 65536;
/// Behind the text of a chunk: a line feed, then bytes that may be read.
inline constexpr std::size_t chunk_slack_bytes = 64;

struct BodyChunk {
  std::uint64_t number = 0;
  std::string_view text;       ///< whole lines, but for what follows
  bool starts_inside = false;  ///< of a line the chunk before began
  bool ends_inside = false;    ///< of a line; between two columns
  bool last = false;           ///< of the input; comes even if there is nothing left
  std::string wrong;           ///< what is wrong with the line after `text`
};

/// Header lines are taken one by one, from one thread, before the first read(). Memory: 64 KiB and what the
/// stream needs.
class BodyChunks {
 public:
  enum class LongLines { refused, split };

  /// `input` outlives the chunks.
  BodyChunks(core::Environment& environment, core::InputFile& input, LongLines long_lines);

  /// The next line of the header without its break, none at the end of the input. Throws DataError.
  std::optional<std::string_view> line();
  /// Goes past what line() gave.
  void take_line();
  /// Header lines and their bytes taken so far.
  std::uint64_t lines_taken() const { return lines_taken_; }
  std::uint64_t bytes_taken() const { return bytes_taken_; }

  /// Thread-safe. `buffer`: at least 2 * longest_line_bytes + chunk_slack_bytes. False after the last chunk.
  bool read(std::span<std::byte> buffer, BodyChunk& chunk);
  /// Back to the end of the header.
  void rewind();

 private:
  std::string_view carried() const;
  void refill();
  void cut(std::span<std::byte> filled, BodyChunk& chunk);

  const LongLines long_lines_;
  const std::string name_;
  std::unique_ptr<TextStream> stream_;
  core::Buffer carry_;  // read, and not yet given out
  std::size_t carry_begin_ = 0;
  std::size_t carry_end_ = 0;
  bool stream_ended_ = false;
  std::uint64_t lines_taken_ = 0;
  std::uint64_t bytes_taken_ = 0;
  std::mutex mutex_;  // guards what is above once lanes read, and what follows
  std::uint64_t chunks_ = 0;
  bool inside_ = false;
  bool ended_ = false;
};

}  // namespace emgraph::graph::format
