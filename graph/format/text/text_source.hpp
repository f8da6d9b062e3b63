// SPDX-License-Identifier: MIT
// Text edge lists (SNAP, KONECT, TSV, CSV, GAPBS), parsed by all lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sequencer.hpp"
#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/source/lane_places.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/text/line_chunks.hpp"
#include "graph/format/text/text_parse.hpp"

namespace emgraph::graph::format {

/// What a text declares about itself, and what is known of it from elsewhere.
struct TextFacts {
  std::optional<std::uint64_t> nodes = std::nullopt;
  std::optional<std::uint64_t> edges = std::nullopt;  ///< checked
  bool directed = false;
};

/// Says what a text that is none starts with, "" if nothing is known against it.
std::string foreign_text(std::string_view start);

/// Method: a lane reads (and unpacks) a chunk of whole lines under a lock and parses it outside, while the
/// next lane reads. Line and edge numbers of a chunk follow from the chunk before, whose lane passes them on
/// once it has parsed; a lane waits for that only after its own parsing. Memory: per lane a chunk of 256 KiB
/// (128 KiB where memory is short) and the most edges it can hold; as many lanes work as a quarter of the
/// free memory holds.
class TextSource final : public RecordSource {
 public:
  TextSource(core::Environment& environment, core::InputFile input, const TextFormat& format,
             const TextFacts& facts, std::uint64_t skip_lines, unsigned max_lanes);

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return input_.seekable(); }
  void rewind() override;
  /// Of plain regular files; packed ones would have to be unpacked whole.
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  /// Counts a chunk, whose turn it is.
  void pass_on(const LineChunk& chunk, const TextCounts& counts);
  void check_end();

  core::Environment& environment_;
  core::InputFile input_;
  const TextFormat format_;
  const std::uint64_t skip_lines_;
  EdgeFacts facts_;
  std::size_t chunk_bytes_ = 0;
  LanePlaces places_;
  LineChunks chunks_;
  core::Sequencer turn_;  // grants chunks, and to whose turn it is what follows
  std::uint64_t lines_passed_ = 0;
  std::uint64_t edges_passed_ = 0;
};

}  // namespace emgraph::graph::format
