// SPDX-License-Identifier: MIT
// Edges from text whose lines follow a header, parsed by all lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/sequencer.hpp"
#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/lines/body_chunks.hpp"
#include "graph/format/lines/line_parser.hpp"
#include "graph/format/source/lane_places.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Width of ids in memory: what n asks for where it is declared, else what the options say.
std::size_t id_bytes_for(const std::optional<std::uint64_t>& nodes, const OpenOptions& options);

/// A text whose header is being read.
struct LineInput {
  LineInput(core::Environment& environment, core::InputFile input, BodyChunks::LongLines long_lines)
      : file(std::move(input)), chunks(environment, file, long_lines) {}
  core::InputFile file;
  BodyChunks chunks;
};

/// Method: a lane takes a chunk and parses it, outside of any lock and without knowing what the chunks before
/// hold; then, in the order of the chunks, it learns what they held and passes on where its own ends. Only a
/// chunk that starts inside a line waits for that before it is parsed.
/// Memory: per lane a chunk of 256 KiB (128 KiB where memory is short) and the most edges it can hold; as
/// many lanes work as a quarter of the free memory holds.
class LineSource final : public RecordSource {
 public:
  /// `input`: its header has been taken. `facts`: what that says.
  LineSource(core::Environment& environment, std::unique_ptr<LineInput> input, EdgeFacts facts,
             std::unique_ptr<const LineParser> parser, unsigned max_lanes);

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return input_->file.seekable(); }
  void rewind() override;
  /// Of plain regular files; packed ones would have to be unpacked whole. Where lines are nodes, their
  /// numbers are guessed.
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  TextPlace start() const { return {.lines = input_->chunks.lines_taken()}; }
  /// The place where chunk `number` starts, once the chunks before it are done; none if one of them failed.
  std::optional<TextPlace> wait_for(std::uint64_t number);

  core::Environment& environment_;
  const std::unique_ptr<LineInput> input_;
  const EdgeFacts facts_;
  const std::unique_ptr<const LineParser> parser_;
  std::size_t chunk_bytes_ = 0;
  LanePlaces places_;
  core::Sequencer turn_;  // grants chunks
  TextPlace place_;       // of whose turn it is
};

}  // namespace emgraph::graph::format
