// SPDX-License-Identifier: MIT
// Text cut into numbered chunks of whole lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/packing/text_stream.hpp"

namespace emgraph::graph::format {

/// Buffers for chunks are larger than this.
inline constexpr std::size_t max_carry_bytes = 65536;
/// Longest line with an edge, much of it columns that nobody wants.
inline constexpr std::size_t max_edge_line_bytes = std::size_t{1} << 20;

/// What a lane parses at a time.
struct LineChunk {
  std::uint64_t number = 0;
  std::string_view text;  ///< in the caller's buffer; the last line may lack its break
  /// The last line is the start of one that was too long for the buffer; its last byte has been replaced by
  /// `cut_mark`, so that no column can end there unnoticed.
  bool cut = false;
  std::string wrong = {};  ///< what is wrong with the line after `text`; no chunk follows
};

inline constexpr char cut_mark = '\x01';

/// Bytes up to and with the last line break. A CR is none as the last byte: an LF may follow it.
std::size_t whole_lines(std::string_view text);

/// Line breaks are LF, CRLF and CR, mixed as they come. A line that is longer than a buffer is cut: it may be
/// a comment of any length, or have an edge at its start and at most max_edge_line_bytes.
/// Memory: 64 KiB, and what unpacking takes. Threads: any number call read(). Throws DataError (damaged
/// packing, fewer lines than are to be skipped), EnvironmentError.
class LineChunks {
 public:
  /// `skip_lines`: not delivered, not looked at. The input outlives this.
  LineChunks(core::Environment& environment, core::InputFile& input, std::uint64_t skip_lines);

  /// False at the end. Reads and unpacks in the calling thread under a lock, while others parse what they
  /// have.
  bool read(std::span<std::byte> buffer, LineChunk& chunk);
  /// Chunks delivered so far.
  std::uint64_t count() const;
  /// Has everything been delivered, to the end of the input?
  bool complete() const;
  /// From the first line again (seekable inputs).
  void rewind();

 private:
  void skip_first_lines();
  enum class Skipped { line, all_there_was, more_than_asked };
  Skipped skip_rest_of_line(std::uint64_t most_bytes);
  /// Does anything follow that could be delivered?
  bool take_long_line(std::span<std::byte> buffer, std::string_view line, LineChunk& chunk);

  const std::string name_;
  const std::uint64_t skip_lines_;
  std::unique_ptr<TextStream> stream_;
  mutable std::mutex mutex_;  // guards what follows, and stream_
  core::Buffer carry_;        // read already, not delivered: from carry_at_ to carry_end_
  std::size_t carry_at_ = 0;
  std::size_t carry_end_ = 0;
  bool skip_feed_ = false;  // the last line ended in CR: an LF that follows belongs to it
  std::uint64_t chunks_ = 0;
  bool ended_ = false;
  bool complete_ = false;
};

}  // namespace emgraph::graph::format
