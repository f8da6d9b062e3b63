// SPDX-License-Identifier: MIT
// Reads edges from text with all lanes: the part that all dialects share, and the interface of a dialect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/sequencer.hpp"
#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {

/// Counts of the text before a place.
struct TextPlace {
  std::uint64_t lines = 0;  ///< line breaks, the header's included
  std::uint64_t edges = 0;
  std::uint64_t nodes = 0;    ///< line breaks of adjacency lines, in dialects with such lines
  std::uint64_t columns = 0;  ///< columns of the line that has not ended
  std::uint64_t held = 0;     ///< the last of these columns, if its edge needs one more column
  bool comment = false;       ///< the line that has not ended is a comment
  LeftOutCounts left_out = {};
};

/// The contents of one chunk, up to its end or to the first error.
struct ParsedChunk {
  TextPlace after;  ///< lines, edges and nodes of this chunk only
  bool doubtful =
      false;  ///< the result depends on the place of the chunk; it must be parsed again with the place
  bool too_wide = false;  ///< the error is an id that fits 8 bytes
  std::string wrong;      ///< the error in the line after `after.lines`
  /// The first invalid lines that were left out, with their numbers in the chunk, from 1.
  std::vector<LeftOutLine> skipped = {};
};

/// A dialect: converts a chunk of its text to edges. Thread-safe.
class LineParser {
 public:
  virtual ~LineParser() = default;

  /// Most edges in this number of bytes of text.
  virtual std::size_t most_edges(std::size_t text_bytes) const = 0;
  /// Parses a chunk. `before`: the place of the chunk; null if it is not known yet. It is known for a chunk
  /// that starts inside a line. If it is known, counts that exceed the declared ones are errors. `out` has
  /// space for most_edges(chunk.text.size()) rows of `shape`.
  virtual void parse(const LineChunk& chunk, const TextPlace* before, const core::PairShape& shape,
                     std::byte* out, ParsedChunk& parsed) const = 0;
  /// True if the counts exceed the declared ones. The chunk is then parsed again, to find the line.
  virtual bool exceeds(const TextPlace& /*after*/) const { return false; }
  /// Completes rows with data that depend on the place.
  virtual void complete_rows(const TextPlace& /*before*/, const core::PairShape& /*shape*/,
                             std::byte* /*rows*/, std::size_t /*count*/) const {}
  /// Throws DataError with `file` if `after`, the place after `chunk`, disagrees with the declared counts.
  virtual void check_place(const std::string& file, const LineChunk& chunk, const TextPlace& after) const = 0;
  /// Counts lines that were left out; null: none are.
  virtual LeftOutLines* left_out() const { return nullptr; }

 protected:
  /// For check_place: throws the error `what` at the end of the text.
  [[noreturn]] static void refuse_end(const std::string& file, const LineChunk& chunk, const TextPlace& after,
                                      const std::string& what);
};

/// A text during the reading of its header.
struct LineInput {
  LineInput(core::Environment& environment, core::InputFile input, const LineRules& line_rules)
      : file(std::move(input)), rules(line_rules), chunks(environment, file, line_rules) {}
  core::InputFile file;
  const LineRules rules;
  LineChunks chunks;
};

/// Width of ids in memory: by n if it is declared, else by the options.
std::size_t id_bytes_for(const std::optional<std::uint64_t>& nodes, const OpenOptions& options);

/// Method: a lane takes a chunk and parses it, without a lock and without its place in the text. Then, in the
/// order of the chunks, each lane gets the place of its chunk and passes on the place after it. Only a chunk
/// that starts inside a line waits for its place before it is parsed. Memory: per lane a chunk of 256 KiB
/// (128 KiB with little memory) and the most edges it can contain; working lanes take at most a quarter of
/// the free memory.
class LineSource final : public LanedSource {
 public:
  /// `input`: a text whose header was read. `facts`: the facts of the header; their name becomes that of the
  /// input.
  LineSource(core::Environment& environment, std::unique_ptr<LineInput> input, EdgeFacts facts,
             std::unique_ptr<const LineParser> parser, unsigned max_lanes);

  bool rewindable() const override { return input_->file.seekable(); }
  void rewind() override;
  void let_go() override { input_->chunks.let_go(); }
  std::optional<std::uint64_t> edges_read() override;
  /// Only for plain regular files: packed files would have to be unpacked completely. If lines are nodes,
  /// their numbers are estimated.
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  TextPlace start() const { return {.lines = input_->chunks.lines_before()}; }
  /// Waits for all earlier chunks and returns the place of chunk `number`; nullopt if one of them failed.
  std::optional<TextPlace> wait_for(std::uint64_t number);
  void count_left_out(const TextPlace& before, const ParsedChunk& parsed, const TextPlace& after) const;
  /// Throws the error of a chunk, if it has one.
  void check(const LineChunk& chunk, const ParsedChunk& parsed, const TextPlace& after) const;

  const std::unique_ptr<LineInput> input_;
  const std::unique_ptr<const LineParser> parser_;
  std::size_t chunk_bytes_ = 0;
  core::Sequencer turn_;  // grants chunks
  TextPlace place_;       // place of the chunk whose turn it is
};

}  // namespace emgraph::graph::format
