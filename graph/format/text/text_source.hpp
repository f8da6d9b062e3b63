// SPDX-License-Identifier: MIT
// Text edge lists (SNAP, KONECT bodies, TSV, CSV), parsed by all lanes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/lane_places.hpp"
#include "graph/format/record_source.hpp"
#include "graph/format/text/text_parse.hpp"
#include "graph/format/text/text_stream.hpp"

namespace emgraph::graph::format {

/// Longest line admitted.
inline constexpr std::size_t max_line_bytes = 65536;

/// Method: a lane reads a chunk under the lock, cuts it after its last line break (the rest goes before the
/// next chunk) and parses it outside. Line and edge numbers of a chunk follow from the chunk before, whose
/// lane passes them on once it has parsed; a lane waits for that only after its own parsing.
/// Memory: per lane a chunk of 256 KiB (128 KiB where memory is short) and the most edges it can hold; as
/// many lanes work as a quarter of the free memory holds.
class TextSource final : public RecordSource {
 public:
  TextSource(core::Environment& environment, core::InputFile input, const TextFormat& format,
             unsigned max_lanes);

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return input_.seekable(); }
  void rewind() override;
  /// Of plain regular files; packed ones would have to be unpacked whole.
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  struct Chunk {
    std::uint64_t number = 0;
    std::size_t bytes = 0;
    std::string wrong;  ///< what is wrong with the line after `bytes`
  };
  bool read_chunk(std::span<std::byte> buffer, Chunk& chunk);
  std::uint64_t pass_on(const Chunk& chunk, const TextCounts& counts, std::uint64_t& lines_before);

  core::Environment& environment_;
  core::InputFile input_;
  const TextFormat format_;
  EdgeFacts facts_;
  std::size_t chunk_bytes_ = 0;
  LanePlaces places_;
  std::unique_ptr<TextStream> stream_;
  std::mutex read_mutex_;  // guards the next four and stream_
  core::Buffer carry_;     // the start of a line whose rest is not read yet
  std::size_t carry_bytes_ = 0;
  std::uint64_t chunks_ = 0;
  bool ended_ = false;
  std::mutex order_mutex_;  // guards what follows
  std::condition_variable passed_;
  std::uint64_t chunks_passed_ = 0;
  std::uint64_t lines_passed_ = 0;
  std::uint64_t edges_passed_ = 0;
};

}  // namespace emgraph::graph::format
