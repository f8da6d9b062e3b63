// SPDX-License-Identifier: MIT
// Text edge lists with labels. All lanes parse and hash them in parallel, and pass them on in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/integers.hpp"
#include "core/base/sequencer.hpp"
#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/text/first_lines.hpp"
#include "graph/format/text/label_line.hpp"
#include "graph/format/text/line_chunks.hpp"
#include "graph/format/text/line_source.hpp"

namespace emgraph::graph::format {

/// Labels are compared by this number of bits of XXH3-128.
inline constexpr unsigned label_hash_bits = 88;

/// The hash of a label, below 2^label_hash_bits.
core::uint128 label_hash(std::string_view label, std::uint64_t seed);

/// An edge of a lane's latest piece.
struct LabelledEdge {
  std::array<core::uint128, 2> hashes;
  std::array<std::uint32_t, 2> begin;   ///< begins of the labels in the text
  std::array<std::uint32_t, 2> length;  ///< lengths of the labels, bytes
  std::array<std::byte, 8> weight;
};

class LabelLane;

/// Can be read once. Method: a lane reads (and unpacks) a chunk of whole lines under a lock. Without the lock
/// it parses the chunk and hashes its labels, a piece of bounded size at a time. Then it waits for its turn,
/// so that the caller gets the pieces in the order of the input. Memory: per lane a chunk of 256 KiB (128 KiB
/// with little memory) and four times as much for edges; all lanes together take at most a quarter of the
/// free memory. Throws: DataError for an invalid line (an empty label, a missing column, an invalid weight, a
/// zero byte).
class LabelText {
 public:
  /// `input`: a text from which `lines` were read.
  LabelText(core::Environment& environment, std::unique_ptr<LineInput> input, const LabelColumns& columns,
            FirstLines lines);

  const std::string& name() const { return input_->file.name(); }
  const LabelColumns& columns() const { return columns_; }
  const FirstLines& first_lines() const { return first_lines_; }
  /// Most lanes.
  unsigned lanes() const { return lanes_; }
  /// Makes a lane. Hashes depend on the environment's seed.
  std::unique_ptr<LabelLane> lane();
  /// The order of the lanes. Requires: the caller stops it if a thread fails.
  core::Sequencer& turn() { return turn_; }

 private:
  friend class LabelLane;
  core::Environment& environment_;
  const std::unique_ptr<LineInput> input_;
  const LabelColumns columns_;
  const FirstLines first_lines_;
  const std::size_t chunk_bytes_;
  const std::size_t piece_edges_;
  core::Sequencer turn_;            // grants chunks
  std::uint64_t lines_passed_ = 0;  // accessed only by the thread whose turn it is
  LeftOutCounts left_out_;          // likewise
  unsigned lanes_ = 1;
};

/// options.format, else the first lines (first_lines.hpp) determine the separator. Throws UsageError (not a
/// text edge list), DataError, EnvironmentError.
std::unique_ptr<LabelText> open_label_text(core::Environment& environment, core::InputFile input,
                                           const OpenOptions& options);

/// One thread's view of a LabelText.
class LabelLane {
 public:
  explicit LabelLane(LabelText& text);

  /// Parses the next piece; false at the end.
  bool next();
  std::span<const LabelledEdge> edges() const { return edges_.span().first(count_); }
  /// Valid until next().
  std::string_view label(const LabelledEdge& edge, std::size_t end) const {
    return {reinterpret_cast<const char*>(text_.data()) + edge.begin[end], edge.length[end]};
  }

  /// Waits until all earlier pieces have been passed on. False: another thread has failed. Throws DataError
  /// if the line after the piece is invalid; the piece need not be used then.
  bool begin_turn();
  void end_turn();

 private:
  void parse();

  LabelText& source_;
  core::Buffer text_;
  core::Array<LabelledEdge> edges_;
  LineChunk chunk_;
  char* at_ = nullptr;  ///< start of the text that is not parsed yet
  char* end_ = nullptr;
  std::size_t count_ = 0;
  std::uint64_t lines_ = 0;  ///< lines of the piece
  LeftOutCounts left_out_;   ///< of the piece
  std::vector<LeftOutLine> skipped_;
  std::string wrong_;  ///< the error in the last line
};

}  // namespace emgraph::graph::format
