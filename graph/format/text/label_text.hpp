// SPDX-License-Identifier: MIT
// Text edge lists whose columns are labels, parsed and hashed by all lanes, handed on in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/integers.hpp"
#include "core/base/sequencer.hpp"
#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/text/label_line.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {

/// Labels are told apart by so many bits of XXH3-128.
inline constexpr unsigned label_hash_bits = 88;

/// The hash of a label, below 2^label_hash_bits.
core::uint128 label_hash(std::string_view label, std::uint64_t seed);

/// An edge of a lane's latest piece.
struct LabelledEdge {
  std::array<core::uint128, 2> hashes;
  std::array<std::uint32_t, 2> begin;   ///< of the labels in the text
  std::array<std::uint32_t, 2> length;  ///< bytes
  std::array<std::byte, 8> weight;
};

class LabelLane;

/// Read once. Method: a lane reads (and unpacks) a chunk of whole lines under a lock, parses it and hashes
/// its labels outside, a piece of bounded size at a time; then takes its turn, in which the caller sees the
/// pieces in the order of the input. Memory: per lane a chunk of 256 KiB (128 KiB where memory is short) and
/// four times as much for edges; as many lanes as a quarter of the free memory holds. Throws: DataError for a
/// line that is wrong (empty labels, missing columns, weights that are none, zero bytes).
class LabelText {
 public:
  LabelText(core::Environment& environment, core::InputFile input, const LabelColumns& columns,
            std::uint64_t skip_lines);

  const std::string& name() const { return input_.name(); }
  const LabelColumns& columns() const { return columns_; }
  /// How many there may be.
  unsigned lanes() const { return lanes_; }
  /// Hashes depend on the environment's seed.
  std::unique_ptr<LabelLane> lane();
  /// To be stopped when a thread fails.
  core::Sequencer& turn() { return turn_; }

 private:
  friend class LabelLane;
  core::Environment& environment_;
  core::InputFile input_;
  const LabelColumns columns_;
  const std::size_t chunk_bytes_;
  const std::size_t piece_edges_;
  LineChunks chunks_;
  core::Sequencer turn_;            // grants chunks
  std::uint64_t lines_passed_ = 0;  // belongs to whose turn it is
  unsigned lanes_ = 1;
};

/// `input`: a path or "-". Columns are separated as the options say, else by commas in .csv, by tabs in .tsv,
/// by blanks elsewhere. Throws UsageError (not a text edge list), DataError, EnvironmentError.
std::unique_ptr<LabelText> open_label_text(core::Environment& environment, const std::string& input,
                                           const OpenOptions& options);

/// One thread's end.
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

  /// Waits until all that stands before the piece has been handed on. False: another thread has failed.
  /// Throws DataError: the line behind the piece is wrong; the piece need not be looked at then.
  bool begin_turn();
  void end_turn();

 private:
  void parse();

  LabelText& source_;
  core::Buffer text_;
  core::Array<LabelledEdge> edges_;
  LineChunk chunk_;
  char* at_ = nullptr;  ///< what is not parsed yet, to end_
  char* end_ = nullptr;
  std::size_t count_ = 0;
  std::uint64_t lines_ = 0;  ///< of the piece
  std::string wrong_;        ///< what is wrong with the last of them
};

}  // namespace emgraph::graph::format
