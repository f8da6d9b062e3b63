// SPDX-License-Identifier: MIT
// Edges from text, parsed by all lanes: what all dialects share, and what a dialect has to know.
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

/// What lies before a place in the text.
struct TextPlace {
  std::uint64_t lines = 0;  ///< line breaks, the header's included
  std::uint64_t edges = 0;
  std::uint64_t nodes = 0;    ///< line breaks of adjacency lines, in dialects that have such lines
  std::uint64_t columns = 0;  ///< of the line not ended yet
  std::uint64_t held = 0;     ///< the last of these columns, if its edge needs one more
  bool comment = false;       ///< the line not ended yet is one
};

/// What one chunk held, up to its end or to what is wrong.
struct ParsedChunk {
  TextPlace after;  ///< lines, edges and nodes of this chunk alone
  bool doubtful =
      false;  ///< right or wrong, depending on the place of the chunk: to be parsed again with the place
  bool too_wide = false;  ///< wrong, because of an id that 8 bytes would hold
  std::string wrong;      ///< what is wrong with the line behind `after.lines`
};

/// A dialect: how a chunk of its text becomes edges. Thread-safe.
class LineParser {
 public:
  virtual ~LineParser() = default;

  /// So many edges at most are in this many bytes of text.
  virtual std::size_t most_edges(std::size_t text_bytes) const = 0;
  /// `before`: the place of the chunk, null while it is not known; known for a chunk that starts inside a
  /// line. Counts that exceed what the header declares are wrong if the place is known. `out` has room for
  /// most_edges(chunk.text.size()) rows of `shape`.
  virtual void parse(const LineChunk& chunk, const TextPlace* before, const core::PairShape& shape,
                     std::byte* out, ParsedChunk& parsed) const = 0;
  /// Do the counts exceed what the header declares? Then the chunk is parsed again, to find the line.
  virtual bool exceeds(const TextPlace& /*after*/) const { return false; }
  /// Completes rows by what only the place tells.
  virtual void settle(const TextPlace& /*before*/, const core::PairShape& /*shape*/, std::byte* /*rows*/,
                      std::size_t /*count*/) const {}
  /// Throws DataError, naming `file`, if `after`, the place behind `chunk`, disagrees with what is declared.
  virtual void check_place(const std::string& file, const LineChunk& chunk, const TextPlace& after) const = 0;

 protected:
  /// For check_place: the text ends, and `what` is wrong.
  [[noreturn]] static void refuse_end(const std::string& file, const LineChunk& chunk, const TextPlace& after,
                                      const std::string& what);
};

/// A text whose header is being read.
struct LineInput {
  LineInput(core::Environment& environment, core::InputFile input, const LineRules& line_rules)
      : file(std::move(input)), rules(line_rules), chunks(environment, file, line_rules) {}
  core::InputFile file;
  const LineRules rules;
  LineChunks chunks;
};

/// Width of ids in memory: what n asks for where it is declared, else what the options say.
std::size_t id_bytes_for(const std::optional<std::uint64_t>& nodes, const OpenOptions& options);

/// Method: a lane takes a chunk and parses it, outside of any lock and without knowing what the chunks before
/// hold. Then, in the order of the chunks, it learns what they held and passes on where its own ends. Only a
/// chunk that starts inside a line waits for its place before it is parsed. Memory: per lane a chunk of 256
/// KiB (128 KiB where memory is short) and the most edges it can hold; as many lanes work as a quarter of the
/// free memory holds.
class LineSource final : public LanedSource {
 public:
  /// `input`: its header has been taken. `facts`: what that says; their name becomes that of the input.
  LineSource(core::Environment& environment, std::unique_ptr<LineInput> input, EdgeFacts facts,
             std::unique_ptr<const LineParser> parser, unsigned max_lanes);

  bool rewindable() const override { return input_->file.seekable(); }
  void rewind() override;
  /// Of plain regular files; packed ones would have to be unpacked whole. Where lines are nodes, their
  /// numbers are guessed.
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  TextPlace start() const { return {.lines = input_->chunks.lines_before()}; }
  /// The place where chunk `number` starts, once the chunks before it are done; none if one of them failed.
  std::optional<TextPlace> wait_for(std::uint64_t number);
  /// Throws what is wrong with a chunk, if something is.
  void check(const LineChunk& chunk, const ParsedChunk& parsed, const TextPlace& after) const;

  const std::unique_ptr<LineInput> input_;
  const std::unique_ptr<const LineParser> parser_;
  std::size_t chunk_bytes_ = 0;
  core::Sequencer turn_;  // grants chunks
  TextPlace place_;       // of the chunk whose turn it is
};

}  // namespace emgraph::graph::format
